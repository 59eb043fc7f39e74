# julia check.jl vectors.json

# Each metric gets the gain at every rank (0: not relevant), the gains of all relevant items, and k.
top(gains, k) = gains[1:min(k, end)]
dcg(gains, k) = sum(gain > 0 ? 1 / log2(rank + 1) : 0.0 for (rank, gain) in enumerate(top(gains, k)))
metrics = Dict(
    "precision(divide_by=k)" => (gains, relevant, k) -> count(top(gains, k) .> 0) / k,
    "average_precision(divide_by=min_k_relevant)" => (gains, relevant, k) -> begin
        hits = top(gains, k) .> 0
        sum(cumsum(hits)[hits] ./ findall(hits)) / min(k, length(relevant))
    end,
    "ndcg(gain=binary)" => (gains, relevant, k) -> dcg(gains, k) / dcg(relevant, k),
)

# Julia reads JSON as an expression of its own: objects are braces around pairs, null is a name.
read_json(x) = x === :null ? nothing : x
read_json(x::Expr) =
    x.head === :braces ? Dict(pair.args[2] => read_json(pair.args[3]) for pair in x.args) : map(read_json, x.args)
usual = Dict("norel" => "skip", "nolist" => "0", "dup" => "counted", "ties" => "input")

function value_of(metric, user, example, under)  # nothing for a user who is skipped
    kept = filter(pair -> pair[2] >= example["threshold"], user["relevant"])
    edge = isempty(kept) ? under["norel"] : isempty(user["list"]) ? under["nolist"] : nothing
    edge === nothing || return edge == "skip" ? nothing : parse(Float64, edge)
    gains = Dict(pair[1] => pair[2] for pair in kept)
    metric([get(gains, item, 0) for item in user["list"]], [pair[2] for pair in kept], example["k"])
end

page = read_json(Meta.parse(read(ARGS[1], String)))
counts = Dict("right" => 0, "wrong" => 0, "skipped" => 0)
for example in page["cases"]
    under = merge(usual, get(example, "under", Dict()))
    (under["dup"], under["ties"]) == ("counted", "input") || (counts["skipped"] += 1; continue)
    for (definition, expected) in zip(page["definitions"], example["values"])
        name = definition["name"]
        haskey(metrics, name) || continue
        values = filter(!isnothing, [value_of(metrics[name], user, example, under) for user in example["users"]])
        value = sum(values) / length(values)
        right = abs(value - expected[2]) <= page["tolerance"]
        counts[right ? "right" : "wrong"] += 1
        right || println("$(example["name"]): $name is $(expected[1]), not $value")
    end
end
others = "other definitions and $(counts["skipped"]) cases (duplicates, ties) are skipped"
println("$(counts["right"]) right, $(counts["wrong"]) wrong; $others")
exit(counts["wrong"] > 0 ? 1 : 0)
