// Which one is mine? A definition, or a function whose number one has: who computes it, who differs at the edges alone,
// and by how much the others differ on the lists of this report.
(() => {
  "use strict";
  const { element: make, functions, variants, metrics, byId, ks, short, signed, same, link, grave } = pageData;
  const section = document.getElementById("mine");
  if (!section) return;
  const [metricBox, isBox, kBox] = section.querySelectorAll("select");
  const out = section.querySelector(".answer");
  const claimed = functions.filter((one) => !one.apart);

  for (const metric of Object.keys(metrics)) metricBox.append(make("option", { value: metric }, metrics[metric][0]));
  for (const k of ks) kBox.append(make("option", {}, k));
  kBox.parentElement.hidden = ks.length < 2;

  function offer() {
    const metric = metricBox.value;
    const definitions = variants.filter((one) => one.metric === metric);
    const those = functions.filter((one) => one.metric === metric && one.definition);
    const papers = definitions.flatMap((one) => one.stated.map((title) => make("option", { value: one.id }, `${title}: ${one.name}`)));
    isBox.replaceChildren(
      make("optgroup", { label: "a definition" },
        definitions.map((one) => make("option", { value: one.id }, `${one.letter} ${one.name}`))),
      ...(papers.length ? [make("optgroup", { label: "as a paper or text states it" }, papers)] : []),
      make("optgroup", { label: "the same as a function" },
        those.map((one) => make("option", { value: one.id }, `${one.title}: ${one.name}`))),
    );
  }

  const parts = (signature) => {
    const full = pageData.cited(signature)?.full ?? signature;
    return new Map(full.split("|").slice(1).map((part) => [part.split(":")[0], part.slice(part.indexOf(":") + 1)]));
  };
  // The parts in which two signatures differ, in words; the version of the words is none.
  function differing(one, other) {
    const [mine, theirs] = [parts(one), parts(other)];
    const names = new Set([...mine.keys(), ...theirs.keys()]);
    return [...names].filter((name) => name !== "mh" && mine.get(name) !== theirs.get(name))
      .map((name) => `${name}: ${theirs.get(name) ?? "usual"}${mine.has(name) ? ` (here ${mine.get(name)})` : ""}`);
  }
  pageData.differing = differing;

  function line(one, k, base, words, target) {
    const { value, predicted } = one.at(k);
    const gap = value === null || base === null ? "" : same(value, base) ? "same value" : signed(value - base);
    return make("li", {}, link(one), grave(one), ` ${short(value)}`, predicted ? " predicted" : "",
      gap ? make("span", { class: "aside" }, ` ${gap}`) : "", words ? make("span", { class: "aside" }, ` · ${words}`) : "",
      target && target !== one ? [" ", make("a", { href: `#pair?one=${target.id}&other=${one.id}`, class: "aside" }, "beside it")] : "");
  }

  function group(title, lines, note = "") {
    return lines.length ? [make("h3", {}, `${title} (${lines.length})`), note ? make("p", { class: "hint" }, note) : "", make("ul", {}, lines)] : [];
  }

  function show() {
    const k = kBox.value || ks[0];
    const target = byId.get(isBox.value);
    if (!target) return out.replaceChildren();
    const definition = target.definition ?? (target.printed ? target : null);
    const computing = functions.filter((one) => one.definition === definition);
    const counts = new Map();
    for (const one of computing) {
      const { signature } = one.at(k);
      if (signature) counts.set(signature, (counts.get(signature) ?? 0) + 1);
    }
    const usual = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
    const signature = target.at?.(k).signature || usual;
    const example = target.at ? target : computing.find((one) => one.at(k).signature === signature) ?? computing[0];
    const base = example?.at(k).value ?? null;
    const equal = computing.filter((one) => one.at(k).signature === signature);
    const atEdges = computing.filter((one) => !equal.includes(one));
    const others = variants.filter((one) => one.metric === definition.metric && one !== definition).map((one) => {
      const those = claimed.filter((other) => other.definition === one && other.at(k).value !== null);
      const values = those.map((other) => other.at(k).value);
      return { one, those, gap: values.length && base !== null ? Math.min(...values.map((value) => Math.abs(value - base))) : Infinity };
    }).filter(({ those }) => those.length).sort((a, b) => a.gap - b.gap);
    out.replaceChildren(
      make("p", {}, make("strong", {}, definition.name), " ", make("code", {}, definition.printed), " ",
        make("a", { href: `#${definition.id}` }, "formula"), base === null ? "" : `: ${short(base)} here, at k = ${k}.`),
      ...(signature ? [pageData.citation(signature, true)] : []),
      ...group("The same, edges included", equal.map((one) => line(one, k, base, "", example)), target.at ? "" : "With the edges that most of its functions have."),
      ...group("The same definition, other edges", atEdges.map((one) => line(one, k, base, differing(signature, one.at(k).signature).join(", "), example)),
        "They differ only for users without relevant items or a list, repeated items, ties, or who is in the mean."),
      ...(others.length ? [make("h3", {}, "Other definitions, the nearest value first")] : []),
      ...others.map(({ one, those, gap }) => make("details", {},
        make("summary", {}, `${one.name}: ${Number.isFinite(gap) ? (gap <= 1e-6 ? "same value on these lists" : `${short(gap)} away`) : "no value"}, ${those.length} ${those.length === 1 ? "function" : "functions"}`),
        make("ul", {}, those.map((other) => line(other, k, base, "", example))))),
    );
  }

  function chosen() {
    show();
    pageState.write("mine", { is: isBox.value, k: ks.length > 1 ? kBox.value : "" });
  }
  metricBox.addEventListener("change", () => { offer(); chosen(); });
  isBox.addEventListener("change", chosen);
  kBox.addEventListener("change", chosen);
  function choose(id, k) {
    const target = byId.get(id);
    metricBox.value = target?.metric ?? (metrics.ndcg ? "ndcg" : Object.keys(metrics)[0]);
    offer();
    if (target) isBox.value = id;
    if (k) kBox.value = k;
    show();
  }
  pageState.on("mine", (given) => choose(given.get("is"), given.get("k")));
  section.querySelector(".controls").hidden = false;
  pageData.ready = () => choose(null, null);
})();
