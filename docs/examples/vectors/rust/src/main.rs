// cargo run vectors.json
use serde_json::Value;
use std::collections::HashMap;

fn count(gains: &[f64], depth: usize) -> f64 {
    gains.iter().take(depth).filter(|gain| **gain > 0.0).count() as f64
}

fn dcg(gains: &[f64], k: usize) -> f64 {
    gains.iter().take(k).enumerate().map(|(at, gain)| if *gain > 0.0 { 1.0 / (at as f64 + 2.0).log2() } else { 0.0 }).sum()
}

/// The gain at every rank (0: not relevant), the gains of all relevant items, and k; None: not implemented here.
fn metric(name: &str, gains: &[f64], relevant: &[f64], k: usize) -> Option<f64> {
    match name {
        "precision(divide_by=k)" => Some(count(gains, k) / k as f64),
        "average_precision(divide_by=min_k_relevant)" => {
            let ranks = (1..=k.min(gains.len())).filter(|rank| gains[rank - 1] > 0.0);
            Some(ranks.map(|rank| count(gains, rank) / rank as f64).sum::<f64>() / k.min(relevant.len()) as f64)
        }
        "ndcg(gain=binary)" => Some(dcg(gains, k) / dcg(relevant, k)),
        _ => None,
    }
}

fn of_user(name: &str, user: &Value, example: &Value, norel: &str, nolist: &str) -> Option<Option<f64>> {
    let threshold = example["threshold"].as_f64().unwrap();
    let pairs = user["relevant"].as_array().unwrap().iter().map(|pair| (pair[0].to_string(), pair[1].as_f64().unwrap()));
    let gains: HashMap<String, f64> = pairs.filter(|(_, gain)| *gain >= threshold).collect();
    let list = user["list"].as_array().unwrap();
    let ranks: Vec<f64> = list.iter().map(|id| *gains.get(&id.to_string()).unwrap_or(&0.0)).collect();
    let relevant: Vec<f64> = gains.into_values().collect();
    let value = metric(name, &ranks, &relevant, example["k"].as_u64().unwrap() as usize)?;
    let edge = if relevant.is_empty() { norel } else if ranks.is_empty() { nolist } else { return Some(Some(value)) };
    Some(edge.parse().ok())
}

fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).expect("vectors.json")).expect("a readable file");
    let page: Value = serde_json::from_str(&text).expect("JSON");
    let (mut right, mut wrong, mut skipped) = (0, 0, 0);
    for example in page["cases"].as_array().unwrap() {
        let under = |part: &str, usual: &'static str| example["under"][part].as_str().unwrap_or(usual).to_string();
        if under("dup", "counted") != "counted" || under("ties", "input") != "input" {
            skipped += 1;
            continue;
        }
        for (index, definition) in page["definitions"].as_array().unwrap().iter().enumerate() {
            let name = definition["name"].as_str().unwrap();
            let users = example["users"].as_array().unwrap().iter();
            let asked = users.map(|user| of_user(name, user, example, &under("norel", "skip"), &under("nolist", "0")));
            let Some(values) = asked.collect::<Option<Vec<Option<f64>>>>() else { continue };
            let values: Vec<f64> = values.into_iter().flatten().collect();
            let value = values.iter().sum::<f64>() / values.len() as f64;
            let expected = &example["values"][index];
            if (value - expected[1].as_f64().unwrap()).abs() <= page["tolerance"].as_f64().unwrap() {
                right += 1;
                continue;
            }
            wrong += 1;
            println!("{}: {} is {}, not {}", example["name"].as_str().unwrap(), name, expected[0], value);
        }
    }
    println!("{right} right, {wrong} wrong, {skipped} cases skipped: duplicates and ties");
    std::process::exit((wrong > 0) as i32);
}
