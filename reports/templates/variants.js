/* Every variant of the ranking metrics and its value for one user: the same definitions as in the Python package
   `reference`, which a test holds against these. */
"use strict";
(() => {
  const WEIGHTS = ["user", "micro"];

  /** One user's list matched with the relevant items. An item relevant twice counts once, one listed twice hits twice. */
  function matched({ recommended, relevant, gains, k, nItems, threshold = 1 }) {
    const judged = new Map();
    relevant.forEach((item, at) => {
      if (!judged.has(item)) judged.set(item, gains ? gains[at] : 1);
    });
    const gainOf = new Map([...judged].filter(([, gain]) => gain > 0 && gain >= threshold));
    const hits = [];
    recommended.forEach((item, at) => {
      if (gainOf.has(item)) hits.push({ rank: at + 1, number: hits.length + 1, gain: gainOf.get(item) });
    });
    const listed = [...new Set(recommended)];
    return {
      k, threshold, hits, listed, gainOf,
      length: recommended.length,
      r: gainOf.size,
      gains: descending([...gainOf.values()]),
      top: new Set(recommended.slice(0, k)),
      unlisted: Math.max(nItems ?? 0, new Set([...listed, ...judged.keys()]).size) - listed.length,
      within: (cut) => (cut === "none" ? hits : hits.filter((hit) => hit.rank <= k)),
    };
  }

  const descending = (numbers) => numbers.sort((a, b) => b - a);
  const total = (things, value) => things.reduce((sum, thing, at) => sum + value(thing, at), 0);
  const ranks = (n) => Array.from({ length: n }, (_, at) => at + 1);
  const harmonic = (n) => total(ranks(n), (rank) => 1 / rank);

  const DISCOUNT = {
    log2: (rank) => 1 / Math.log2(rank + 1),
    ln: (rank) => 1 / Math.log(rank + 1),
    max_log2: (rank) => 1 / Math.max(Math.log2(rank), 1),
    shifted_log2: (rank) => 1 / Math.log2(rank + 2),
    none: () => 1,
  };
  const GAIN = {
    binary: () => 1,
    linear: (gain) => gain,
    exponential: (gain) => 2 ** gain - 1,
    exponential_over_threshold: (gain, threshold) => 2 ** (gain - threshold + 1) - 1,
  };

  function idealGain(m, c, gain) {
    const weight = DISCOUNT[c.discount];
    const over = (gains) => total(gains, (one, at) => gain(one) * weight(at + 1));
    switch (c.ideal) {
      case "none": return 1;
      case "k": return m.r ? gain(m.gains[0]) * total(ranks(m.k), weight) : 0;
      case "hits": return over(descending(m.within(c.cut).map((hit) => hit.gain)));
      default: return over(c.ideal === "relevant" ? m.gains : m.gains.slice(0, m.k));
    }
  }

  /** Pairs of a relevant and another candidate; listed items outscore each other by rank, the rest are tied below. */
  function pairsOverCatalogue(m, c) {
    const lostTie = { half: 0.5, win: 0, lose: 1 }[c.ties];
    const others = m.listed.length + m.unlisted - m.r;
    const extra = c.negatives === "plus_one" ? 1 : 0;
    if (others + extra === 0) return [0, 0];
    const placed = new Map(); // how many others stand above each listed relevant item
    let passed = 0;
    for (const item of m.listed) {
      if (m.gainOf.has(item)) placed.set(item, passed);
      else passed += 1;
    }
    const counted = [...m.gainOf.keys()].filter((item) => c.scope !== "limited" || m.top.has(item));
    const won = total(counted, (item) => {
      const lost = placed.has(item) ? placed.get(item) : passed + lostTie * (others - passed);
      return 1 - lost / (others + extra);
    });
    return [won, c.scope === "limited" ? Math.min(m.k, m.r) : m.r];
  }

  function pairsInList(m, c) {
    const hits = m.within("k");
    const h = hits.length;
    const misses = Math.min(m.length, m.k) - h;
    const pairs = h * misses;
    if (pairs) return [pairs - total(hits, (hit) => hit.rank) + (h * (h + 1)) / 2, pairs];
    return [c.one_sided === "zero_one" && h ? 1 : 0, c.one_sided === "nan" ? 0 : 1];
  }

  const listed = (m) => Math.min(m.k, m.length);
  const fewer = (m) => Math.min(m.k, m.r);

  /** By metric: its choices, the default first; `parts`: numerator and denominator; `alike`: whether the denominator is
      the same for all users, so that the micro average is the mean; `canonical`: the choices that stand for these. */
  const METRICS = {
    hit_rate: {
      choices: { value: ["any", "hits"] },
      parts: (m, c) => [c.value === "any" ? Math.min(1, m.within("k").length) : m.within("k").length, 1],
      alike: () => true,
    },
    precision: {
      choices: { divide_by: ["k", "list", "min_k_relevant", "min_list_relevant"] },
      parts: (m, c) => [m.within("k").length, {
        k: m.k, list: listed(m), min_k_relevant: fewer(m), min_list_relevant: Math.min(listed(m), m.r),
      }[c.divide_by]],
      alike: (c) => c.divide_by === "k",
    },
    recall: {
      choices: { divide_by: ["relevant", "min_k_relevant"] },
      parts: (m, c) => [m.within("k").length, c.divide_by === "relevant" ? m.r : fewer(m)],
    },
    f1: {
      choices: { over: ["users", "means"], divide_by: ["k", "list"] },
      parts: (m, c) => {
        const hits = m.within("k").length;
        const length = c.divide_by === "k" ? m.k : listed(m);
        if (c.over === "users" || !m.r) return [2 * hits, m.r && length + m.r];
        const precision = hits / Math.max(length, 1);
        const recall = hits / m.r;
        return [2 * precision * recall, precision + recall || 1];
      },
      alike: (c) => c.over === "means",
    },
    reciprocal_rank: {
      choices: { over: ["first", "sum", "mean_hits", "mean_relevant"], cut: ["k", "none"] },
      parts: (m, c) => {
        const hits = m.within(c.cut);
        if (c.over === "first") return [hits.length ? 1 / hits[0].rank : 0, 1];
        return [total(hits, (hit) => 1 / hit.rank), { sum: 1, mean_hits: hits.length, mean_relevant: m.r }[c.over]];
      },
      alike: (c) => c.over === "first" || c.over === "sum",
    },
    average_precision: {
      choices: {
        divide_by: ["min_k_relevant", "relevant", "k", "hits", "min_list_relevant", "cumulative_min"],
        sum_over: ["hits", "all_ranks"],
        cut: ["k", "none"],
      },
      parts: (m, c) => {
        const hits = m.within(c.cut);
        const last = c.cut === "none" ? m.length : m.k;
        const value = c.sum_over === "hits"
          ? total(hits, (hit) => hit.number / hit.rank)
          : total(hits, (hit) => harmonic(last) - harmonic(hit.rank - 1));
        const divisor = {
          min_k_relevant: fewer(m), relevant: m.r, k: m.k, hits: hits.length,
          min_list_relevant: Math.min(c.cut === "none" ? m.length : listed(m), m.r),
          cumulative_min: total(ranks(m.k), (rank) => Math.min(rank, m.r)),
        };
        return [value, divisor[c.divide_by]];
      },
      alike: (c) => c.divide_by === "k",
    },
    average_recall: {
      choices: { sum_over: ["all_ranks", "hits"], divide_by: ["k", "hits", "min_k_relevant", "relevant"] },
      parts: (m, c) => {
        const hits = m.within("k");
        const value = c.sum_over === "hits"
          ? (hits.length * (hits.length + 1)) / 2
          : total(hits, (hit) => m.k - hit.rank + 1);
        return [value, m.r * { k: m.k, hits: hits.length, min_k_relevant: fewer(m), relevant: m.r }[c.divide_by]];
      },
    },
    r_precision: {
      choices: { divide_by: ["relevant", "min_k_relevant"], cut: ["k", "none"], who: ["all", "with_hit"] },
      parts: (m, c) => {
        const depth = c.cut === "none" ? m.r : fewer(m);
        return [m.hits.filter((hit) => hit.rank <= depth).length, c.divide_by === "relevant" ? m.r : fewer(m)];
      },
    },
    ndcg: {
      choices: {
        gain: ["binary", "linear", "exponential", "exponential_over_threshold"],
        discount: ["log2", "ln", "max_log2", "shifted_log2", "none"],
        ideal: ["min_k_relevant", "k", "relevant", "hits", "none"],
        cut: ["k", "none"],
      },
      parts: (m, c) => {
        const gain = (one) => GAIN[c.gain](one, m.threshold);
        return [total(m.within(c.cut), (hit) => gain(hit.gain) * DISCOUNT[c.discount](hit.rank)), idealGain(m, c, gain)];
      },
      alike: (c) => c.ideal === "none" || (c.ideal === "k" && c.gain === "binary"),
      canonical: (c) => ({
        ...c,
        // A log's base cancels in a ratio; undiscounted gains over the same gains are 1 whatever they are.
        discount: c.discount === "ln" && c.ideal !== "none" ? "log2" : c.discount,
        gain: c.discount === "none" && c.ideal === "hits" ? "binary" : c.gain,
      }),
    },
    auc: {
      choices: {
        scope: ["per_user", "per_positive", "stacked", "top_k", "limited"],
        ties: ["half", "win", "lose"],
        negatives: ["exact", "plus_one"],
        one_sided: ["zero_one", "zero", "nan"],
      },
      parts: (m, c) => (c.scope === "top_k" ? pairsInList(m, c) : pairsOverCatalogue(m, c)),
      alike: () => true,
      canonical: (c) => ({
        scope: c.scope,
        ties: c.scope === "top_k" ? "half" : c.ties,
        negatives: ["top_k", "stacked"].includes(c.scope) ? "exact" : c.negatives,
        one_sided: c.scope === "top_k" ? c.one_sided : "zero_one",
      }),
    },
  };

  /** The values of some choices in every combination. */
  function combined(choices) {
    return Object.entries(choices).reduce(
      (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
      [{}],
    );
  }

  /** Every variant in the order of the reference: {printed, metric, choices, weight, unusual}. */
  const VARIANTS = Object.entries(METRICS).flatMap(([metric, { choices, alike, canonical }]) => {
    const found = new Map();
    for (const raw of combined(choices)) {
      const made = canonical ? canonical(raw) : raw;
      for (const asked of WEIGHTS) {
        const weight = alike?.(made) ? "user" : asked;
        const off = Object.entries(made).map(([name, value]) => value !== choices[name][0]);
        const shown = Object.entries(made).filter((_, at) => at === 0 || off[at]).map((pair) => pair.join("="));
        if (weight !== "user") shown.push(`weight=${weight}`);
        const printed = `${metric}(${shown.join(", ")})`;
        const unusual = off.filter(Boolean).length + (weight !== "user");
        if (!found.has(printed)) found.set(printed, Object.freeze({ printed, metric, choices: made, weight, unusual }));
      }
    }
    return [...found.values()];
  });

  /** The value for a matched user; NaN where it is undefined. Without a list a user's value is 0. */
  function valueOf(m, { metric, choices: c, weight }) {
    if (!m.r) return NaN;
    const looksAtList = metric !== "auc" || c.scope === "top_k" || c.scope === "limited";
    if (!m.length && looksAtList && weight === "user") return 0;
    const [numerator, denominator] = METRICS[metric].parts(m, c);
    if (c.who === "with_hit" && !numerator) return m.within("k").length ? NaN : 0;
    if (denominator) return numerator / denominator;
    return c.divide_by === "hits" || c.ideal === "hits" || c.over === "mean_hits" ? 0 : NaN;
  }

  /** {printed form: value} of every variant, or of some, for one user. Items are numbers or texts; `gains` go with
      `relevant` (1 each if left out), `threshold` is the least gain that is relevant, `nItems` the size of the catalogue. */
  function values(user, variants = VARIANTS) {
    const m = matched(user);
    return Object.fromEntries(variants.map((variant) => [variant.printed, valueOf(m, variant)]));
  }

  window.metricHarness = Object.freeze({ values, variants: Object.freeze(VARIANTS) });
})();
