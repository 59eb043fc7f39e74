// node check.mjs vectors.json
import { readFileSync } from "node:fs";

// Each metric gets the gain at every rank (0: not relevant), the gains of all relevant items, and k.
const count = (gains) => gains.filter((gain) => gain > 0).length;
const dcg = (gains) => gains.reduce((sum, gain, at) => sum + (gain > 0 ? 1 / Math.log2(at + 2) : 0), 0);
const metrics = {
  "precision(divide_by=k)": (gains, relevant, k) => count(gains.slice(0, k)) / k,
  "average_precision(divide_by=min_k_relevant)": (gains, relevant, k) => {
    const at = (rank) => (gains[rank - 1] > 0 ? count(gains.slice(0, rank)) / rank : 0);
    const ranks = Array.from({ length: k }, (_, index) => index + 1);
    return ranks.reduce((sum, rank) => sum + at(rank), 0) / Math.min(k, relevant.length);
  },
  "ndcg(gain=binary)": (gains, relevant, k) => dcg(gains.slice(0, k)) / dcg(relevant.slice(0, k)),
};

const page = JSON.parse(readFileSync(process.argv[2], "utf8"));
let [right, wrong, skipped] = [0, 0, 0];
for (const example of page.cases) {
  const { norel = "skip", nolist = "0", dup = "counted", ties = "input" } = example.under ?? {};
  if (dup !== "counted" || ties !== "input") { skipped += 1; continue; }
  page.definitions.forEach(({ name }, index) => {
    if (!(name in metrics)) return;
    const values = example.users.flatMap((user) => {
      const gains = new Map(user.relevant.filter(([, gain]) => gain >= example.threshold));
      if (gains.size === 0) return norel === "skip" ? [] : [Number(norel)];
      if (user.list.length === 0) return nolist === "skip" ? [] : [Number(nolist)];
      return [metrics[name](user.list.map((id) => gains.get(id) ?? 0), [...gains.values()], example.k)];
    });
    const value = values.reduce((sum, one) => sum + one, 0) / values.length;
    const [exact, expected] = example.values[index];
    if (Math.abs(value - expected) <= page.tolerance) { right += 1; return; }
    wrong += 1;
    console.log(`${example.name}: ${name} is ${exact} = ${expected}, not ${value}`);
  });
}
console.log(`${right} right, ${wrong} wrong; other definitions and ${skipped} cases (duplicates, ties) are skipped`);
process.exit(wrong > 0 ? 1 : 0);
