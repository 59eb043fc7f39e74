// cargo run vectors.json
use serde_json::Value;
use std::collections::HashMap;

/// The number at each rank that hits, summed up to a depth.
fn sum(gains: &[f64], depth: usize, of: impl Fn(usize) -> f64) -> f64 {
    (1..=depth.min(gains.len())).filter(|rank| gains[rank - 1] > 0.0).map(of).sum()
}

/// Gets the gain at every rank (0: not relevant), the gains of all relevant items, and k; None: not implemented here.
fn metric(name: &str, gains: &[f64], relevant: &[f64], k: usize) -> Option<f64> {
    let precision = |rank: usize| sum(gains, rank, |_| 1.0) / rank as f64;
    let discount = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
    match name {
        "precision(divide_by=k)" => Some(precision(k)),
        "average_precision(divide_by=min_k_relevant)" => Some(sum(gains, k, precision) / k.min(relevant.len()) as f64),
        "ndcg(gain=binary)" => Some(sum(gains, k, discount) / sum(relevant, k, discount)),
        _ => None,
    }
}

fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).expect("vectors.json")).expect("a readable file");
    let page: Value = serde_json::from_str(&text).expect("JSON");
    let (mut right, mut wrong, mut skipped) = (0, 0, 0);
    for example in page["cases"].as_array().unwrap() {
        if example["under"].is_object() {
            skipped += 1; // users without relevant items leave the mean, one without a list has 0
            continue;
        }
        for (index, definition) in page["definitions"].as_array().unwrap().iter().enumerate() {
            let name = definition["name"].as_str().unwrap();
            let values = example["users"].as_array().unwrap().iter().filter_map(|user| {
                let pairs = user["relevant"].as_array().unwrap().iter().map(|pair| (pair[0].to_string(), pair[1].as_f64().unwrap()));
                let of: HashMap<String, f64> = pairs.filter(|(_, gain)| *gain >= example["threshold"].as_f64().unwrap()).collect();
                let list = user["list"].as_array().unwrap().iter();
                let gains: Vec<f64> = list.map(|id| *of.get(&id.to_string()).unwrap_or(&0.0)).collect();
                let relevant: Vec<f64> = of.into_values().collect();
                if relevant.is_empty() { None } else { metric(name, &gains, &relevant, example["k"].as_u64().unwrap() as usize) }
            });
            let (values, expected): (Vec<f64>, &Value) = (values.collect(), &example["values"][index]);
            let value = values.iter().sum::<f64>() / values.len() as f64;
            if values.is_empty() {
            } else if (value - expected[1].as_f64().unwrap()).abs() <= page["tolerance"].as_f64().unwrap() {
                right += 1;
            } else {
                wrong += 1;
                println!("{}: {} is {}, not {}", example["name"].as_str().unwrap(), name, expected[0], value);
            }
        }
    }
    println!("{right} right, {wrong} wrong, {skipped} cases skipped: special edges");
    std::process::exit(wrong.min(1));
}
