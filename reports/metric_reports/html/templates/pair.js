// Two functions beside each other: values, users, edges, the smallest case where they part, the command that converts.
(() => {
  "use strict";
  const { element: make, functions, metrics, byId, ks, short, signed, same, link, probes, pairs, edges } = pageData;
  const section = document.getElementById("pair");
  if (!section) return;
  const [oneBox, otherBox, kBox] = section.querySelectorAll("select");
  const out = section.querySelector(".answer");
  const able = functions.filter((one) => one.definition);
  for (const box of [oneBox, otherBox]) {
    for (const metric of Object.keys(metrics)) {
      const those = able.filter((one) => one.metric === metric);
      if (those.length) box.append(make("optgroup", { label: metrics[metric][0] }, those.map((one) => make("option", { value: one.id }, `${one.title}: ${one.name}`))));
    }
  }
  for (const k of ks) kBox.append(make("option", {}, k));
  kBox.parentElement.hidden = ks.length < 2;

  // The smallest probe that both answered and where their answers differ: fewest users, then fewest items.
  function smallest(one, other) {
    const size = (probe) => probe.users.length * 100 + probe.users.reduce((sum, user) => sum + user[0].length + user[2].length, 0);
    return probes.map((probe, number) => ({ probe, number }))
      .filter(({ number }) => one.answers.has(number) && other.answers.has(number) && !same(one.answers.get(number), other.answers.get(number)))
      .sort((a, b) => size(a.probe) - size(b.probe))[0];
  }

  function strip([listed, hits, relevant, gains], k) {
    return make("div", { class: "drawn" },
      listed.length ? make("ol", { class: "strip" }, listed.map((item, at) => make("li", {
        class: `${hits[at] ? "hit" : "miss"}${at + 1 > k ? " beyond" : ""}${at + 1 === k ? " cut" : ""}`,
      }, make("span", { class: "rank" }, String(at + 1)), make("span", { class: "item" }, String(item)), make("span", { class: "mark" }, hits[at] ? "✓" : "✗"))))
        : make("p", { class: "empty" }, "empty list"),
      make("p", { class: "relevant" }, relevant.length
        ? `relevant: ${relevant.map((item, at) => (gains.some((gain) => gain !== 1) ? `${item} (gain ${gains[at]})` : item)).join(", ")}`
        : "nothing is relevant"));
  }
  // The probes of the section on the method are drawn when they are asked for.
  const probeBox = document.querySelector(".probes")?.closest("details");
  probeBox?.addEventListener("toggle", () => {
    for (const line of probeBox.querySelectorAll("[data-probe]:not(.drawn-already)")) {
      line.classList.add("drawn-already");
      line.after(...probes[line.dataset.probe].users.map((user) => strip(user, probes[line.dataset.probe].k)));
    }
  });

  function users(one, other, k) {
    if (one.variant === other.variant) return "By the definition, all users have the same value; the two can differ at the edges alone.";
    const row = pairs.find((pair) => pair[2] === Number(k) && pair.slice(0, 2).includes(one.variant) && pair.slice(0, 2).includes(other.variant));
    if (!row) return "The record does not hold their values user by user.";
    const way = row[0] === one.variant ? 1 : -1;
    const [all, equal, higher, lower, mean, largest] = row.slice(3);
    return `Of ${all} users ${equal} have the same value under both definitions; the second is higher for ${way > 0 ? higher : lower} `
      + `and lower for ${way > 0 ? lower : higher}; on average ${signed(way * mean)}, at most ${signed(way * largest)} (the reference's values).`;
  }

  function row(name, texts) {
    return make("tr", {}, make("th", { scope: "row" }, name), texts.map((text) => make("td", {}, text)));
  }

  function show() {
    const [one, other, k] = [byId.get(oneBox.value), byId.get(otherBox.value), kBox.value || ks[0]];
    if (!one || !other) return out.replaceChildren();
    const both = [one, other];
    const cells = both.map((each) => each.at(k));
    const differ = cells[0].signature && cells[1].signature ? pageData.differing(cells[0].signature, cells[1].signature) : null;
    const part = smallest(one, other);
    const gap = cells[0].value === null || cells[1].value === null ? null : cells[1].value - cells[0].value;
    const convert = `metric-harness signature convert ${short(cells[0].value)} --from "${cells[0].signature}" --to "${cells[1].signature}"`;
    out.replaceChildren(
      make("table", { class: "plain-table", "aria-label": "The two functions" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, `k = ${k}`), both.map((each) => make("th", { scope: "col" }, link(each))))),
        make("tbody", {},
          row("computes", both.map((each) => make("span", {}, each.definition.name, " ", make("code", {}, each.definition.printed)))),
          row("value", cells.map((cell) => `${short(cell.value)}${cell.predicted ? " predicted" : ""}`)),
          ...edges.map((edge, at) => [edge, both.map((each) => (each.edges[at] || "–").replaceAll("_", " "))]).filter(([, texts]) => texts[0] !== texts[1]).map(([edge, texts]) => row(edge, texts)))),
      make("p", {}, gap === null ? "One of them has no value here." : same(cells[0].value, cells[1].value) ? "On these lists both return the same value."
        : `The second is ${signed(gap)} away${cells[0].value ? `, ${signed(100 * gap / Math.abs(cells[0].value))} %` : ""}.`),
      make("p", {}, users(one, other, k)),
      differ ? make("p", {}, differ.length ? `Signatures differ in ${differ.join(", ")}.` : one.variant === other.variant ? "Their signatures are the same." : "Only their definitions differ.") : "",
      ...(part ? [make("h3", {}, "The smallest case where they part"),
        make("figure", { class: "case" }, make("figcaption", {}, make("code", {}, part.probe.name), `, k = ${part.probe.k}: ${part.probe.about}`),
          part.probe.users.map((user) => strip(user, part.probe.k)),
          make("p", {}, both.map((each, at) => [at ? "; " : "", each.who, " returns ", make("strong", {}, short(each.answers.get(part.number)))]).flat()))]
        : [make("p", { class: "hint" }, "They answered every probe alike.")]),
      ...(cells[0].signature && cells[1].signature ? [make("h3", {}, "Convert a number of the first into the second"),
        pageData.copied(convert), pageData.citation(cells[0].signature), pageData.citation(cells[1].signature)] : []),
    );
  }

  function chosen() {
    show();
    pageState.write("pair", { one: oneBox.value, other: otherBox.value, k: ks.length > 1 ? kBox.value : "" });
  }
  for (const box of [oneBox, otherBox, kBox]) box.addEventListener("change", chosen);
  // Without a wish: the two functions of the metric in the headline whose values lie furthest apart.
  function choose(one, other, k) {
    const metric = byId.get(one)?.metric ?? section.dataset.metric;
    const at = k || kBox.value || ks[0];
    const those = able.filter((each) => each.metric === metric && !each.apart && Number.isFinite(each.at(at).value ?? NaN))
      .sort((a, b) => a.at(at).value - b.at(at).value);
    oneBox.value = one && byId.has(one) ? one : those[those.length - 1]?.id ?? "";
    otherBox.value = other && byId.has(other) ? other : those[0]?.id ?? "";
    if (k) kBox.value = k;
    show();
  }
  pageState.on("pair", (given) => choose(given.get("one"), given.get("other"), given.get("k")));
  section.querySelector(".controls").hidden = false;
  const before = pageData.ready;
  pageData.ready = () => { before?.(); choose(null, null, null); };
})();
