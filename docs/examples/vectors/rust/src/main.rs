// cargo run vectors.json
use {serde_json::Value, std::collections::HashMap};

fn sum(gains: &[f64], k: usize, of: impl Fn(usize) -> f64) -> f64 { // over the ranks that hit, up to k
    (1..=k.min(gains.len())).filter(|rank| gains[rank - 1] > 0.0).map(of).sum()
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let page: Value = serde_json::from_slice(&std::fs::read(std::env::args().nth(1).expect("vectors.json"))?)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let (mut checked, mut wrong) = (0, 0);
    for case in list(&page["cases"]).iter().filter(|case| case["under"].is_null()) {
        for (definition, expected) in list(&page["definitions"]).iter().zip(list(&case["values"])) {
            let name = definition["name"].as_str().unwrap();
            let values: Vec<f64> = list(&case["users"]).iter().filter_map(|user| {
                let pairs = list(&user["relevant"]).into_iter().map(|pair| (pair[0].to_string(), number(&pair[1])));
                let of: HashMap<_, _> = pairs.filter(|(_, gain)| *gain >= number(&case["threshold"])).collect();
                let gains = list(&user["list"]).into_iter().map(|id| *of.get(&id.to_string()).unwrap_or(&0.0));
                let (gains, relevant): (Vec<_>, Vec<_>) = (gains.collect(), of.values().copied().collect());
                metric(name, &gains, &relevant, number(&case["k"]) as usize).filter(|_| !of.is_empty())
            }).collect(); // users without relevant items are not in the mean
            let value = values.iter().sum::<f64>() / values.len() as f64;
            checked += values.len().min(1);
            if !values.is_empty() && !((value - number(&expected[1])).abs() <= number(&page["tolerance"])) {
                println!("{}: {name} is {}, not {value}", case["name"].as_str().unwrap(), expected[0]);
                wrong += 1;
            }
        }
    }
    println!("{} right, {wrong} wrong; other definitions and cases with special edges are skipped", checked - wrong);
    std::process::exit(wrong.min(1) as i32);
}
