// One user's list on the page of a variant: ranks are made hits or misses, and the value is computed here.
(() => {
  "use strict";
  const section = document.getElementById("try");
  const { values, variants } = window.metricHarness;
  const variant = variants.find(({ printed }) => printed === section.dataset.variant);
  if (!variant) return; // with a parameter of its own, or of other inputs than a list
  const usual = variants.find(({ metric }) => metric === variant.metric);
  const field = (name) => section.querySelector(`[name=${name}]`);
  const ranks = section.querySelector("ol"), result = section.querySelector("[role=status]");
  const hits = new Set([1, 3]);
  const LEAST = { length: 0, k: 1, missed: 0, items: 1 }, MOST = { length: 30, k: 1000, missed: 1000, items: 1e6 };

  function whole(name) {
    const value = Math.round(Number(field(name).value));
    return Number.isFinite(value) ? Math.min(MOST[name], Math.max(LEAST[name], value)) : LEAST[name];
  }
  /** The gains of `count` relevant items: the numbers in the field; the last number is the gain of every further item. */
  function gainsOf(count) {
    const typed = field("gains").value.split(/[\s,;]+/).map(Number).filter((gain) => gain > 0 && Number.isFinite(gain));
    return Array.from({ length: count }, (_, at) => typed[Math.min(at, typed.length - 1)] ?? 1);
  }
  const text = (value) => (Number.isNaN(value) ? "undefined" : String(Number(value.toPrecision(6))));

  function draw() {
    const length = whole("length"), k = whole("k");
    while (ranks.children.length > length) ranks.lastChild.remove();
    while (ranks.children.length < length) {
      const rank = ranks.children.length + 1, place = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.append(String(rank));
      button.addEventListener("click", () => { if (!hits.delete(rank)) hits.add(rank); draw(); });
      place.append(button);
      ranks.append(place);
    }
    [...ranks.children].forEach(({ firstChild: button }, at) => {
      const rank = at + 1, hit = hits.has(rank), beyond = rank > k;
      button.className = `item${hit ? " hit" : ""}${beyond ? " beyond" : ""}${rank === k && rank < length ? " cut" : ""}`;
      button.setAttribute("aria-pressed", String(hit));
      button.setAttribute("aria-label", `Rank ${rank}, relevant${beyond ? ", past k" : ""}`);
    });
    const recommended = Array.from({ length }, (_, at) => at);
    const missed = Array.from({ length: whole("missed") }, (_, at) => length + at);
    const relevant = [...recommended.filter((item) => hits.has(item + 1)), ...missed];
    const gains = gainsOf(relevant.length), nItems = Math.max(whole("items"), length + missed.length);
    const user = { recommended, relevant, gains, k, nItems, threshold: Math.min(1, ...gains) };
    const found = values(user, [variant, usual]);
    const value = document.createElement("strong");
    value.textContent = text(found[variant.printed]);
    result.replaceChildren("Its value here: ", value);
    if (usual !== variant) {
      const code = document.createElement("code");
      code.textContent = usual.printed;
      result.append("; the usual ", code, ` gives ${text(found[usual.printed])}`);
    }
    result.append(".");
  }

  if (!["binary", undefined].includes(variant.choices.gain)) field("gains").value = "5 3 1";
  section.addEventListener("input", draw);
  document.getElementById("to-try").hidden = section.hidden = false;
  draw();
})();
