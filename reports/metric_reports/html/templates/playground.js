/* The playground: fields and a strip of ranks for one user's list, and the value of every variant beside them. */
"use strict";
(() => {
  const section = document.querySelector("section.playground");
  if (!section || !window.metricHarness) return;
  const { values, variants } = window.metricHarness;
  const part = (name) => section.querySelector(`#pg-${name}`);
  const fields = Object.fromEntries(
    ["example", "ranking", "relevant", "k", "items", "threshold", "micro"].map((name) => [name, part(name)]),
  );
  const strip = part("strip");

  const EXAMPLES = [
    ["Three hits, two missed", "8 3 0 6 9 1 4 7", "3 0 1 11 12", 6, 20],
    ["More relevant items than k", "5 2 7 0 9 4", "5 7 4 10 11 1 6", 3, 20],
    ["A list shorter than k", "7 2 5", "5 7 0 10", 5, 20],
    ["The only hit comes after k", "2 6 4 9 1 8", "9 3", 3, 20],
    ["Ratings as gains", "8 3 0 6 9 1", "3:3 9:5 0:2 11:4.5", 5, 20],
    ["A perfect list", "1 2 3 4 5", "1 2 3", 5, 20],
    ["An item listed twice", "4 2 4 1 3", "4 3", 5, 20],
    ["No list", "", "1 2", 5, 20],
  ];
  const MOST_RANKS = 100; // drawn and listed; a longer list would bury the page
  const MANY = 60; // variants; of a metric with more, the plain ones are shown first
  const SAME = 1e-12;
  const TOLD = ["precision", "recall", "average_precision", "ndcg"]; // in the sentence above the table
  const opened = new Set(); // metrics of which all variants are shown
  const gainsKept = new Map(); // gains of items that were made irrelevant, for when they come back

  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const put = (place, text) => {
    if (place.textContent !== text) place.textContent = text;
  };
  const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
  const name = (metric) => ({ auc: "AUC", ndcg: "NDCG", f1: "F1" })[metric] ?? metric.replaceAll("_", " ").replace("r p", "R-p");
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const number = (value) => (Number.isNaN(value) ? "–" : String(Number(value.toPrecision(6))));

  // Reading the fields

  const words = (text) => text.split(/[\s,;]+/).filter(Boolean);

  function relevantWords() {
    return words(fields.relevant.value).map((word) => {
      const at = word.lastIndexOf(":");
      return at < 1 ? { item: word, gain: 1 } : { item: word.slice(0, at), gain: Number(word.slice(at + 1) || NaN), given: true };
    });
  }

  /** What the fields say: {user} as `values` wants it, or {problem, field}. */
  function read() {
    const recommended = words(fields.ranking.value);
    const judged = relevantWords();
    const wrong = (field, problem) => ({ field, problem });
    if (recommended.length > MOST_RANKS) return wrong("ranking", `At most ${MOST_RANKS} ranks; this list has ${recommended.length}.`);
    const bad = judged.find(({ gain }) => !Number.isFinite(gain));
    if (bad) return wrong("relevant", `The gain of item ${bad.item} must be a number, as in ${bad.item}:4.5.`);
    const twice = judged.find(({ item }, at) => judged.findIndex((other) => other.item === item) < at);
    if (twice) return wrong("relevant", `Item ${twice.item} stands among the relevant items twice.`);
    const whole = (field) => (/^\d+$/.test(fields[field].value.trim()) ? Number(fields[field].value) : 0);
    if (!whole("k")) return wrong("k", "k must be a whole number from 1.");
    if (whole("k") > 10000) return wrong("k", "k must be at most 10000.");
    const threshold = fields.threshold.value.trim() === "" ? NaN : Number(fields.threshold.value);
    if (!Number.isFinite(threshold)) return wrong("threshold", "The threshold must be a number.");
    const typed = new Set([...recommended, ...judged.map(({ item }) => item)]).size;
    if (whole("items") < Math.max(typed, 1)) return wrong("items", `There must be at least ${count(typed, "item")}: so many are typed.`);
    return {
      user: {
        recommended, relevant: judged.map(({ item }) => item), gains: judged.map(({ gain }) => gain),
        k: whole("k"), nItems: whole("items"), threshold,
      },
    };
  }

  // The strip

  const relevantSet = () => {
    const least = Number(fields.threshold.value);
    return new Set(relevantWords().filter(({ gain }) => gain > 0 && gain >= least).map(({ item }) => item));
  };

  function drawStrip() {
    const ranking = words(fields.ranking.value).slice(0, MOST_RANKS);
    const relevant = relevantSet();
    const k = Number(fields.k.value);
    while (strip.children.length > ranking.length) strip.lastChild.remove();
    while (strip.children.length < ranking.length) {
      const button = element("button", { type: "button" }, element("span", { className: "pg-rank" }),
        element("span", { className: "pg-item" }), element("span", { className: "pg-mark" }));
      button.setAttribute("aria-describedby", "pg-strip-hint");
      for (const child of button.children) child.setAttribute("aria-hidden", "true");
      strip.append(element("li", {}, button));
    }
    ranking.forEach((item, at) => {
      const place = strip.children[at];
      const button = place.firstChild;
      const hit = relevant.has(item);
      place.className = at + 1 === k && at + 1 < ranking.length ? "pg-cut" : "";
      button.className = `${hit ? "pg-hit" : ""}${at + 1 > k ? " pg-beyond" : ""}`.trim();
      button.setAttribute("aria-pressed", String(hit));
      button.setAttribute("aria-label", `Rank ${at + 1}, item ${item}, relevant${at + 1 > k ? ", past k" : ""}`);
      [at + 1, item, hit ? "✓" : "✗"].forEach((text, child) => put(button.children[child], String(text)));
    });
    const missed = [...relevant].filter((item) => !ranking.includes(item));
    put(part("missed"), `${ranking.length ? "" : "The list is empty. "}${missed.length ? `Relevant but not in the list: ${missed.join(", ")}.` : relevant.size ? "Every relevant item is in the list." : "Nothing is relevant."}`);
  }

  function toggle(at) {
    const item = words(fields.ranking.value)[at];
    const judged = relevantWords();
    const spelled = ({ item: one, gain, given }) => (given ? `${one}:${gain}` : one);
    if (relevantSet().has(item)) {
      const gone = judged.filter((one) => one.item === item);
      gainsKept.set(item, gone[0]);
      fields.relevant.value = judged.filter((one) => one.item !== item).map(spelled).join(" ");
    } else {
      const least = Number(fields.threshold.value);
      const kept = gainsKept.get(item);
      const enough = Number.isFinite(least) && least > 1 ? { item, gain: least, given: true } : { item, gain: 1 };
      const back = kept && kept.gain > 0 && kept.gain >= least ? kept : enough;
      fields.relevant.value = [...judged.filter((one) => one.item !== item), back].map(spelled).join(" ");
    }
    changed();
  }

  /** Take the item at one place to another; false where there is no such place. */
  function move(from, to) {
    const ranking = words(fields.ranking.value);
    if (to < 0 || to >= ranking.length || to === from) return false;
    ranking.splice(to, 0, ...ranking.splice(from, 1));
    fields.ranking.value = ranking.join(" ");
    changed();
    return true;
  }

  const placeOf = (target) => [...strip.children].indexOf(target?.closest?.(".pg-strip > li"));

  strip.addEventListener("keydown", (event) => {
    const from = placeOf(event.target);
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: strip.children.length - 1 }[event.key];
    if (from < 0 || to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (move(from, to)) strip.children[to].firstChild.focus();
  });

  let drag = null; // the place an item is dragged from, and whether it has moved
  let dragged = false;
  strip.addEventListener("pointerdown", (event) => {
    const at = placeOf(event.target);
    if (at >= 0 && event.button === 0) drag = { at, x: event.clientX, y: event.clientY, moved: false };
  });
  strip.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
      drag.moved = true;
      strip.setPointerCapture(event.pointerId); // the drag may leave the strip and come back
      strip.children[drag.at].classList.add("pg-held");
    }
    const at = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (at >= 0 && move(drag.at, at)) drag.at = at;
    strip.children[drag.at].classList.add("pg-held");
  });
  const drop = () => {
    if (drag?.moved) {
      strip.children[drag.at].classList.remove("pg-held");
      strip.children[drag.at].firstChild.focus();
      dragged = true; // the click that ends a drag toggles nothing
      setTimeout(() => { dragged = false; });
    }
    drag = null;
  };
  strip.addEventListener("pointerup", drop);
  strip.addEventListener("pointercancel", drop);
  strip.addEventListener("click", (event) => {
    const at = placeOf(event.target);
    if (at >= 0 && !dragged) toggle(at);
  });

  // The table

  /** Variants in groups of equal value, the largest first and undefined last: [{value, variants}]. */
  function grouped(shown, found) {
    const sorted = [...shown].sort((a, b) => {
      const [x, y] = [found[a.printed], found[b.printed]].map((value) => (Number.isNaN(value) ? -Infinity : value));
      return x === y ? 0 : y - x;
    });
    const groups = [];
    for (const variant of sorted) {
      const value = found[variant.printed];
      const last = groups.at(-1);
      const equal = last && (Object.is(last.value, value) || Math.abs(last.value - value) <= SAME * Math.max(1, Math.abs(value)));
      if (equal) last.variants.push(variant);
      else groups.push({ value, variants: [variant] });
    }
    return groups;
  }

  function row({ value, variants: alike }, largest) {
    const bar = element("span", { className: "pg-bar" });
    bar.style.width = `${(100 * (value || 0)) / largest}%`;
    const list = element("ul");
    for (const { printed, unusual } of [...alike].sort((a, b) => a.unusual - b.unusual)) {
      const code = element("code");
      printed.split(/(?<=[(=_])/).forEach((piece, at) => code.append(...(at ? [element("wbr")] : []), piece));
      const item = element("li", {}, code);
      if (!unusual) item.append(" ", element("span", { className: "pg-plain", textContent: "standard" }));
      list.append(item);
    }
    const text = element("span", { className: "pg-value", textContent: number(value) });
    if (Number.isNaN(value)) text.append(element("span", { className: "vh", textContent: " undefined" }));
    const track = element("span", { className: "pg-track" }, bar);
    track.setAttribute("aria-hidden", "true");
    return element("tr", {}, element("td", {}, text, track), element("td", {}, list));
  }

  function head(metric, all, groups) {
    const cell = element("th", { colSpan: 2, scope: "rowgroup" }, element("strong", { textContent: capital(name(metric)) }), " ",
      element("span", { className: "pg-hint", textContent: `${count(all.length, "variant")}, ${count(groups.length, "value")}` }));
    if (all.length > MANY) {
      const button = element("button", { type: "button", className: "pg-more", textContent: opened.has(metric) ? "Show the plain ones" : `Show all ${all.length}` });
      button.setAttribute("aria-label", `${button.textContent} of ${name(metric)}`);
      button.addEventListener("click", () => {
        if (!opened.delete(metric)) opened.add(metric);
        changed();
        part(`of-${metric}`).querySelector("button").focus();
      });
      cell.append(" ", button);
    }
    return element("tr", {}, cell);
  }

  /** Fill the table; gives the span of each metric's values, DCG left out: {metric, least, most}. */
  function drawTable(found) {
    const spans = [];
    for (const metric of new Set(variants.map((variant) => variant.metric))) {
      const all = variants.filter((one) => one.metric === metric && (fields.micro.checked || one.weight === "user"));
      const shown = all.length > MANY && !opened.has(metric) ? all.filter((one) => one.unusual < 2) : all;
      const groups = grouped(all, found);
      const rows = grouped(shown, found);
      const largest = Math.max(1, rows[0].value || 0);
      const body = element("tbody", { id: `pg-of-${metric}` }, head(metric, all, groups), ...rows.map((one) => row(one, largest)));
      const old = part(`of-${metric}`);
      if (old) old.replaceWith(body);
      else part("table").append(body);
      const told = all.filter(({ choices }) => choices.ideal !== "none").map(({ printed }) => found[printed]);
      spans.push({ metric, least: Math.min(...told), most: Math.max(...told) });
    }
    return spans;
  }

  function summary(user, spans) {
    const told = spans.filter(({ metric, least }) => !Number.isNaN(least) && TOLD.includes(metric));
    if (!told.length) return "Nothing is relevant, so nothing is defined: libraries leave such a user out or count 0, 1 or NaN.";
    const texts = told.map(({ metric, least, most }) =>
      `${name(metric)} ${most - least <= SAME ? `is ${number(least)}` : `runs from ${number(least)} to ${number(most)}`}`);
    return `At k = ${user.k}, by variant: ${texts.join("; ")}.`;
  }

  // Keeping it all up to date

  let pending;
  function say(text) {
    clearTimeout(pending); // a screen reader is told once, when the typing or moving pauses
    pending = setTimeout(() => put(part("status"), text), 700);
  }

  function changed() {
    drawStrip();
    const { user, problem = "", field } = read();
    put(part("problem"), problem);
    for (const one of ["ranking", "relevant", "k", "items", "threshold"]) {
      fields[one].setAttribute("aria-invalid", String(one === field));
    }
    section.classList.toggle("pg-stale", !user);
    if (!user) return clearTimeout(pending);
    const text = summary(user, drawTable(values(user)));
    put(part("summary"), text);
    say(text);
  }

  function start([, ranking, relevant, k, items]) {
    gainsKept.clear();
    Object.entries({ ranking, relevant, k, items, threshold: 1 }).forEach(([field, value]) => {
      fields[field].value = value;
    });
    changed();
  }

  EXAMPLES.forEach(([text], value) => fields.example.append(element("option", { textContent: text, value })));
  fields.example.addEventListener("change", () => start(EXAMPLES[fields.example.value]));
  for (const field of ["ranking", "relevant", "k", "items", "threshold", "micro"]) fields[field].addEventListener("input", changed);
  start(EXAMPLES[0]);
  part("status").textContent = "";
  clearTimeout(pending); // nothing has changed yet
  part("off").remove();
  part("bench").hidden = false;
})();
