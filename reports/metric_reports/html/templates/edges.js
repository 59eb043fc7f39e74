// What each function does at the edges, as a table that sorts; made when its section comes near.
(() => {
  "use strict";
  const { element: make, functions, metrics, edges, link } = pageData;
  const section = document.getElementById("edges");
  if (!section) return;
  const [metricBox, libraryBox] = section.querySelectorAll("select");
  const body = section.querySelector("tbody");
  const heads = [...section.querySelectorAll("thead th")];
  const able = functions.filter((one) => one.edges.some(Boolean));
  for (const metric of Object.keys(metrics)) {
    if (able.some((one) => one.metric === metric)) metricBox.append(make("option", { value: metric }, metrics[metric][0]));
  }
  const titles = new Map(able.map((one) => [one.library, one.title]));
  for (const [library, title] of titles) libraryBox.append(make("option", { value: library }, title));
  let sorted = { column: 0, down: false };

  const words = (value) => (value || "–").replaceAll("_", " ");
  const texts = (one) => [one.who, metrics[one.metric]?.[0] ?? one.metric, ...one.edges.map(words)];
  const NOTABLE = ["poisons mean", "error", "unspecified"];

  function show() {
    const those = able.filter((one) => (!metricBox.value || one.metric === metricBox.value) && (!libraryBox.value || one.library === libraryBox.value))
      .map((one) => [one, texts(one)]);
    those.sort(([, a], [, b]) => (sorted.down ? -1 : 1) * a[sorted.column].localeCompare(b[sorted.column]));
    body.replaceChildren(...those.map(([one, row]) => make("tr", {},
      make("th", { scope: "row" }, link(one)), row.slice(1).map((text, at) => make("td", { class: NOTABLE.includes(text) ? "notable" : false, "data-label": heads[at + 1].textContent }, text)))));
    heads.forEach((head, at) => head.setAttribute("aria-sort", at === sorted.column ? (sorted.down ? "descending" : "ascending") : "none"));
    section.querySelector("[role=status]").textContent = `${those.length} functions`;
  }

  function chosen() {
    show();
    pageState.write("edges", { metric: metricBox.value, library: libraryBox.value, sort: sorted.column ? String(sorted.column) : "", down: sorted.down ? "1" : "" });
  }
  heads.forEach((head, column) => {
    const button = make("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      sorted = { column, down: sorted.column === column && !sorted.down };
      chosen();
    });
  });
  metricBox.addEventListener("change", chosen);
  libraryBox.addEventListener("change", chosen);
  pageState.on("edges", (given) => {
    metricBox.value = given.get("metric") ?? "";
    libraryBox.value = given.get("library") ?? "";
    sorted = { column: Number(given.get("sort") ?? 0), down: given.has("down") };
    show();
  });
  section.querySelector(".controls").hidden = false;
  const watch = new IntersectionObserver((seen) => {
    if (seen.some((one) => one.isIntersecting) && !body.rows.length) show();
  }, { rootMargin: "600px" });
  watch.observe(section);
  addEventListener("beforeprint", () => { if (!body.rows.length) show(); });
})();
