/* Every variant of the ranking metrics and its value for one user: the same definitions as in the Python package
   `reference`, which a test holds against these. */
"use strict";
(() => {
  const WEIGHTS = ["user", "micro", "sum"];

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
    const known = [...new Set([...listed, ...judged.keys()])];
    const items = Math.max(nItems ?? 0, known.length);
    return {
      k, threshold, hits, listed, gainOf,
      length: recommended.length,
      r: gainOf.size,
      gains: descending([...gainOf.values()]),
      top: new Set(recommended.slice(0, k)),
      items,
      numberOf: numbered(known, items),
      within: (cut) => (cut === "none" ? hits : hits.filter((hit) => hit.rank <= k)),
    };
  }

  /** The number of each known item in the catalogue: its own, or its place among the known ones by their ids. */
  function numbered(known, items) {
    const own = known.every((item) => Number.isInteger(item) && item >= 0 && item < items);
    const places = own ? known : [...known].sort((a, b) => (a < b ? -1 : Number(a > b)));
    return new Map(places.map((item, at) => [item, own ? item : at]));
  }

  const descending = (numbers) => numbers.sort((a, b) => b - a);
  const total = (things, value) => things.reduce((sum, thing, at) => sum + value(thing, at), 0);
  const ranks = (n) => Array.from({ length: n }, (_, at) => at + 1);
  const harmonic = (n) => total(ranks(n), (rank) => 1 / rank);

  const DISCOUNT = {
    log2: (rank) => 1 / Math.log2(rank + 1),
    ln: (rank) => 1 / Math.log(rank + 1),
    log10: (rank) => 1 / Math.log10(rank + 1),
    ln_rank: (rank) => (rank === 1 ? 1 : 1 / Math.log(rank)),
    max_log2: (rank) => 1 / Math.max(Math.log2(rank), 1),
    shifted_log2: (rank) => 1 / Math.log2(rank + 2),
    none: () => 1,
  };
  const GAIN = {
    binary: () => 1,
    linear: (gain) => gain,
    exponential: (gain) => 2 ** gain - 1,
    exponential_over_threshold: (gain, threshold) => 2 ** (gain - threshold + 1) - 1,
    exponential_plus_one: (gain) => 2 ** (gain + 1) - 1,
    squared_minus_one: (gain) => gain ** 2 - 1,
  };

  function idealGain(m, c, gain) {
    const weight = DISCOUNT[c.discount];
    const over = (gains) => total(gains, (one, at) => gain(one) * weight(at + 1));
    switch (c.ideal) {
      case "none": return 1;
      case "k": return m.r ? gain(m.gains[0]) * total(ranks(m.k), weight) : 0;
      case "list_ranks": {
        const length = c.cut === "none" ? m.length : listed(m);
        return m.r ? gain(m.gains[0]) * total(ranks(length), weight) : 0;
      }
      case "same_ranks":
      case "list": return over(m.gains.slice(0, c.cut === "none" ? m.length : listed(m)));
      case "list_hits": return over(descending(m.hits.map((hit) => hit.gain)).slice(0, m.k));
      case "hits": return over(descending(m.within(c.cut).map((hit) => hit.gain)));
      default: return over(c.ideal === "relevant" ? m.gains : m.gains.slice(0, m.k));
    }
  }

  const LOST_TIE = { half: 0.5, win: 0, lose: 1 };

  /** Pairs of a relevant and another candidate; listed items outscore each other by rank, the rest are tied below. */
  function pairsOverCatalogue(m, c) {
    const others = m.items - m.r;
    const extra = c.negatives === "plus_one" ? 1 : 0;
    if (others + extra === 0) return [0, 0];
    const placed = new Map(); // how many others stand above each listed relevant item
    let passed = 0;
    for (const item of m.listed) {
      if (m.gainOf.has(item)) placed.set(item, passed);
      else passed += 1;
    }
    const apart = [...new Set([...m.listed, ...m.gainOf.keys()])].map((item) => m.numberOf.get(item));
    const lostTies = (item) => {
      const tied = others - passed;
      if (c.ties in LOST_TIE) return LOST_TIE[c.ties] * tied;
      const own = m.numberOf.get(item);
      const before = own - apart.filter((number) => number < own).length;
      return c.ties === "id_ascending" ? before : tied - before;
    };
    /** What an item wins against the last other candidate: half where both are among the rest and ties count half. */
    const wonLast = (item, lost) => {
      if (c.ties === "half" && passed < others && !placed.has(item)) return 0.5;
      return lost < others ? 1 : 0;
    };
    const counted = [...m.gainOf.keys()].filter((item) => c.scope !== "limited" || m.top.has(item));
    const won = total(counted, (item) => {
      const lost = placed.has(item) ? placed.get(item) : passed + lostTies(item);
      return 1 - (lost + (c.negatives === "lagged" ? wonLast(item, lost) / 2 : 0)) / (others + extra);
    });
    if (c.scope === "per_pair") return [won * others, m.r * others];
    return [won, c.scope === "limited" ? Math.min(m.k, m.r) : m.r];
  }

  /** As if what is not among the first k ranks were spread evenly below them. */
  function pairsSpread(m) {
    const hits = m.within("k");
    const h = hits.length;
    const misses = listed(m) - h;
    const others = m.items - m.r;
    const above = h * misses - total(hits, (hit) => hit.rank) + (h * (h + 1)) / 2;
    return [above + ((h + m.r) / 2) * (others - misses), m.r * others];
  }

  /** How many relevant and other items score at least so high: one point for each listed item, one for all the rest. */
  function curve(m) {
    const points = [];
    let found = 0;
    m.listed.forEach((item, at) => {
      if (m.gainOf.has(item)) found += 1;
      points.push([found, at + 1 - found]);
    });
    if (m.items > m.listed.length) points.push([m.r, m.items - m.r]);
    return points;
  }

  function areaOverRecall(m, c) {
    let [area, recall, precision] = [0, 0, 1];
    for (const [found, others] of curve(m)) {
      const here = found / (found + others);
      area += (found / m.r - recall) * (c.area === "step" ? here : (here + precision) / 2);
      [recall, precision] = [found / m.r, here];
    }
    return [area, 1];
  }

  function partialArea(m, most) {
    const negatives = m.items - m.r;
    if (!negatives) return [0, 0];
    let [area, x, y] = [0, 0, 0];
    for (const [found, others] of curve(m)) {
      const [toX, toY] = [others / negatives, found / m.r];
      const end = Math.min(toX, most);
      const height = toX > most ? y + ((toY - y) * (most - x)) / (toX - x) : toY;
      area += ((end - x) * (y + height)) / 2;
      if (toX > most) break;
      [x, y] = [toX, toY];
    }
    const chance = (most * most) / 2;
    return [(1 + (area - chance) / (most - chance)) / 2, 1];
  }

  function pairsInList(m, c) {
    const hits = m.within("k");
    const h = hits.length;
    const misses = Math.min(m.length, m.k) - h;
    const pairs = h * misses;
    if (pairs) return [pairs - total(hits, (hit) => hit.rank) + (h * (h + 1)) / 2, pairs];
    return [c.one_sided === "zero_one" && h ? 1 : 0, c.one_sided === "nan" ? 0 : 1];
  }

  /** What divides by these is 0 where they are 0, not undefined. */
  const OF_HITS = ["hits", "mean_hits", "last_hit_rank", "list_hits", "min_k_list_hits", "squared_minus_one"];

  const listed = (m) => Math.min(m.k, m.length);
  const fewer = (m) => Math.min(m.k, m.r);

  /** By metric: its choices, the default first; `parameters`: its numbers; `parts`: numerator and denominator; `alike`:
      whether the denominator is the same for all users, so that the micro average is the mean; `noSum`: whether there
      is no sum over users; `canonical`: the choices that stand for these; `absent`: whether they are none of the
      reference's. */
  const METRICS = {
    hit_rate: {
      choices: { value: ["any", "hits", "all"], cut: ["k", "none"] },
      parts: (m, c) => {
        const hits = m.within(c.cut).length;
        return [{ any: Math.min(1, hits), hits, all: hits >= m.r ? 1 : 0 }[c.value], 1];
      },
      alike: () => true,
    },
    precision: {
      choices: {
        divide_by: ["k", "list", "min_k_relevant", "min_list_relevant", "last_hit_rank"],
        cut: ["k", "none"],
      },
      parts: (m, c) => {
        const hits = m.within(c.cut);
        const length = c.cut === "none" ? m.length : listed(m);
        return [hits.length, {
          k: m.k, list: length, min_k_relevant: fewer(m), min_list_relevant: Math.min(length, m.r),
          last_hit_rank: hits.length && hits[hits.length - 1].rank,
        }[c.divide_by]];
      },
      alike: (c) => c.divide_by === "k",
    },
    recall: {
      choices: { divide_by: ["relevant", "min_k_relevant"], cut: ["k", "none"] },
      parts: (m, c) => [m.within(c.cut).length, c.divide_by === "relevant" ? m.r : fewer(m)],
    },
    f1: {
      choices: { over: ["users", "means"], divide_by: ["k", "list", "min_k_relevant"], no_hits: ["zero", "nan"] },
      parts: (m, c) => {
        const hits = m.within("k").length;
        const length = { k: m.k, list: listed(m), min_k_relevant: fewer(m) }[c.divide_by];
        if (c.over === "users" || !m.r) return [2 * hits, (hits || c.no_hits === "zero") && m.r && length + m.r];
        const precision = hits / Math.max(length, 1);
        const recall = hits / m.r;
        return [2 * precision * recall, precision + recall || (c.no_hits === "zero" ? 1 : 0)];
      },
      alike: (c) => c.over === "means",
      noSum: (c) => c.over === "means",
    },
    reciprocal_rank: {
      choices: {
        over: ["first", "sum", "mean_hits", "mean_relevant"], cut: ["k", "none"], who: ["all", "with_hit"],
      },
      parts: (m, c) => {
        const hits = m.within(c.cut);
        if (c.over === "first") return [hits.length ? 1 / hits[0].rank : 0, 1];
        return [total(hits, (hit) => 1 / hit.rank), { sum: 1, mean_hits: hits.length, mean_relevant: m.r }[c.over]];
      },
      // Users without a hit add 0 to both sums of a micro average over hits.
      alike: (c) => c.over === "first" || c.over === "sum" || (c.over === "mean_hits" && c.who === "with_hit"),
      noSum: (c) => c.who === "with_hit",
    },
    average_precision: {
      choices: {
        divide_by: [
          "min_k_relevant", "relevant", "k", "hits", "min_list_relevant", "cumulative_min", "list", "min_k_list_hits",
          "one", "list_hits",
        ],
        sum_over: ["hits", "all_ranks", "listed_ranks", "trapezoid", "relevant_ranks"],
        cut: ["k", "none"],
      },
      parts: (m, c) => {
        const hits = m.within(c.cut);
        const length = c.cut === "none" ? m.length : listed(m);
        const last = c.sum_over === "all_ranks" && c.cut === "k" ? m.k : length;
        const precision = (hit) => hit.number / hit.rank;
        const before = (hit) => (hit.rank === 1 ? 1 : (hit.number - 1) / (hit.rank - 1));
        const value = total(hits, {
          hits: precision,
          trapezoid: (hit) => (precision(hit) + before(hit)) / 2,
          relevant_ranks: (hit) => (hit.rank <= m.r ? precision(hit) : 0),
        }[c.sum_over] || ((hit) => harmonic(last) - harmonic(hit.rank - 1)));
        const divisor = {
          min_k_relevant: fewer(m), relevant: m.r, k: m.k, hits: hits.length,
          min_list_relevant: Math.min(length, m.r),
          cumulative_min: total(ranks(m.k), (rank) => Math.min(rank, m.r)),
          list: length, list_hits: m.hits.length, min_k_list_hits: Math.min(m.k, m.hits.length), one: 1,
        };
        return [value, divisor[c.divide_by]];
      },
      alike: (c) => c.divide_by === "k" || c.divide_by === "one",
      canonical: (c) => (c.cut === "k" ? c : {
        ...c,
        sum_over: c.sum_over === "listed_ranks" ? "all_ranks" : c.sum_over,
        divide_by: c.divide_by === "list_hits" ? "hits" : c.divide_by,
      }),
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
      choices: {
        divide_by: ["relevant", "min_k_relevant", "min_list_relevant"], cut: ["k", "none"], who: ["all", "with_hit"],
      },
      parts: (m, c) => {
        const depth = c.cut === "none" ? m.r : fewer(m);
        const divisors = { relevant: m.r, min_k_relevant: fewer(m), min_list_relevant: Math.min(depth, m.length) };
        return [m.hits.filter((hit) => hit.rank <= depth).length, divisors[c.divide_by]];
      },
      noSum: (c) => c.who === "with_hit",
    },
    ndcg: {
      choices: {
        gain: [
          "binary", "linear", "exponential", "exponential_over_threshold", "exponential_plus_one", "squared_minus_one",
        ],
        discount: ["log2", "ln", "max_log2", "shifted_log2", "none", "log10", "ln_rank"],
        ideal: [
          "min_k_relevant", "k", "relevant", "hits", "none", "list", "list_hits", "list_ranks", "same_ranks",
          "relevant_ranks",
        ],
        cut: ["k", "none"],
      },
      parts: (m, c) => {
        const gain = (one) => GAIN[c.gain](one, m.threshold);
        const hits = m.within(c.cut).filter((hit) => !["same_ranks", "relevant_ranks"].includes(c.ideal) || hit.rank <= m.r);
        return [total(hits, (hit) => gain(hit.gain) * DISCOUNT[c.discount](hit.rank)), idealGain(m, c, gain)];
      },
      alike: (c) => c.ideal === "none" || (c.ideal === "k" && c.gain === "binary"),
      // A log's base cancels in a ratio; undiscounted gains over the same gains are 1 for every list with a hit.
      canonical: (c) => ({
        ...c, discount: ["ln", "log10"].includes(c.discount) && c.ideal !== "none" ? "log2" : c.discount,
      }),
      absent: (c) => c.discount === "none" && (c.ideal === "hits" || (c.ideal === "list_hits" && c.cut === "none")),
    },
    rank_biased_precision: {
      choices: { cut: ["k", "none"] },
      parameters: { persistence: "0.8" },
      parts: (m, c) => {
        const p = Number(c.persistence);
        return [(1 - p) * total(m.within(c.cut), (hit) => p ** (hit.rank - 1)), 1];
      },
      alike: () => true,
    },
    expected_reciprocal_rank: {
      choices: { largest: ["user", "case"], cut: ["k", "none"] },
      parts: (m, c) => {
        let reader = 1;
        const value = total(m.within(c.cut), (hit) => {
          const stops = (2 ** hit.gain - 1) / 2 ** m.gains[0];
          const here = (reader * stops) / hit.rank;
          reader *= 1 - stops;
          return here;
        });
        return [value, 1];
      },
      alike: () => true,
    },
    fall_out: {
      choices: { over: ["catalogue", "candidates", "list"] },
      parts: (m, c) => [
        listed(m) - m.within("k").length, c.over === "list" ? m.length - m.hits.length : m.items - m.r,
      ],
    },
    mcc: {
      choices: { over: ["candidates", "catalogue"], scope: ["per_user", "stacked"] },
      parts: (m) => {
        const length = listed(m);
        const spread = length * (m.items - length) * (m.r * (m.items - m.r));
        return [m.items * m.within("k").length - length * m.r, spread > 0 ? Math.sqrt(spread) : 1];
      },
      alike: () => true,
      noSum: (c) => c.scope === "stacked",
    },
    auc: {
      choices: {
        scope: ["per_user", "per_positive", "stacked", "top_k", "limited", "per_row", "per_pair", "spread"],
        ties: ["half", "win", "lose", "id_ascending", "id_descending"],
        negatives: ["exact", "plus_one", "lagged"],
        one_sided: ["zero_one", "zero", "nan"],
      },
      parts: (m, c) => ({ top_k: pairsInList, spread: pairsSpread }[c.scope] ?? pairsOverCatalogue)(m, c),
      alike: () => true,
      noSum: (c) => ["stacked", "per_positive", "per_row", "per_pair"].includes(c.scope),
      canonical: (c) => {
        const inList = ["top_k", "spread"].includes(c.scope);
        const bySize = ["stacked", "per_row", "per_pair"].includes(c.scope);
        const counted = c.negatives === "lagged" ? !inList && c.scope !== "limited" : !inList && !bySize;
        return {
          scope: c.scope,
          ties: inList ? "half" : c.ties,
          negatives: counted ? c.negatives : "exact",
          one_sided: c.scope === "top_k" ? c.one_sided : "zero_one",
        };
      },
    },
    partial_auc: {
      choices: { scope: ["per_user", "stacked"] },
      parameters: { max_fpr: "0.1" },
      parts: (m, c) => partialArea(m, Number(c.max_fpr)),
      alike: () => true,
      noSum: (c) => c.scope === "stacked",
    },
    pr_auc: {
      choices: { area: ["step", "trapezoid"], scope: ["per_user", "stacked"] },
      parts: areaOverRecall,
      alike: () => true,
      noSum: (c) => c.scope === "stacked",
    },
    rank: {
      choices: {
        missing: ["left_out", "next", "next_listed", "zero", "minus_one"], first: ["one", "zero"],
        over: ["mean", "median", "median_floor"], cut: ["k", "none"],
      },
      parts: (m, c) => {
        const start = c.first === "one" ? 1 : 0;
        const hits = m.within(c.cut);
        const length = c.cut === "none" ? m.length : listed(m);
        const last = c.cut === "none" ? m.length : m.k;
        const without = { next: last + start, next_listed: length + start, minus_one: -1 }[c.missing] ?? 0;
        if (!hits.length) return [without, c.missing === "left_out" ? 0 : 1];
        return [hits[0].rank - 1 + start, 1];
      },
      alike: () => true,
      noSum: (c) => c.over !== "mean" || c.missing === "left_out",
      canonical: (c) => (c.missing === "next_listed" && c.cut === "none" ? { ...c, missing: "next" } : c),
      absent: (c) => c.over !== "mean" && ["zero", "minus_one"].includes(c.missing),
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
  const VARIANTS = Object.entries(METRICS).flatMap(([metric, { choices, parameters, alike, noSum, canonical, absent }]) => {
    const found = new Map();
    for (const raw of combined(choices)) {
      if (absent?.(raw)) continue;
      const made = { ...(canonical ? canonical(raw) : raw), ...parameters };
      for (const asked of WEIGHTS) {
        if (asked === "sum" && noSum?.(made)) continue;
        const weight = asked === "micro" && alike?.(made) ? "user" : asked;
        const off = Object.entries(made).map(([name, value]) => !choices[name] || value !== choices[name][0]);
        const shown = Object.entries(made).filter((_, at) => at === 0 || off[at]).map((pair) => pair.join("="));
        if (weight !== "user") shown.push(`weight=${weight}`);
        const printed = `${metric}(${shown.join(", ")})`;
        const unusual = off.filter(Boolean).length - Object.keys(parameters ?? {}).length + (weight !== "user");
        if (!found.has(printed)) found.set(printed, Object.freeze({ printed, metric, choices: made, weight, unusual }));
      }
    }
    return [...found.values()];
  });

  /** The value for a matched user; NaN where it is undefined. Without a list a user's value is 0. */
  function valueOf(m, { metric, choices: c, weight }) {
    if (!m.r) return NaN;
    const readsScores = metric === "auc" && !["top_k", "limited", "spread"].includes(c.scope);
    const looksAtList = !readsScores && metric !== "partial_auc" && metric !== "pr_auc" && c.scope !== "stacked";
    if (!m.length && looksAtList && weight !== "micro" && c.over !== "means") return 0;
    const [numerator, denominator] = METRICS[metric].parts(m, c);
    if (c.who === "with_hit" && !numerator) return m.within(metric === "r_precision" ? "k" : c.cut).length ? NaN : 0;
    if (denominator) return numerator / denominator;
    return [c.divide_by, c.ideal, c.over, c.gain].some((choice) => OF_HITS.includes(choice)) ? 0 : NaN;
  }

  /** {printed form: value} of every variant, or of some, for one user. Items are numbers or texts; `gains` go with
      `relevant` (1 each if left out), `threshold` is the least gain that is relevant, `nItems` the size of the catalogue. */
  function values(user, variants = VARIANTS) {
    const m = matched(user);
    return Object.fromEntries(variants.map((variant) => [variant.printed, valueOf(m, variant)]));
  }

  window.metricHarness = Object.freeze({ values, variants: Object.freeze(VARIANTS) });
})();
