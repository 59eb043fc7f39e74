// Two functions side by side: definitions, edges, the smallest probe that they answered differently, the conversion.
(() => {
  "use strict";
  const { metrics, functions, probes, titles } = window.site.pair;
  const at = (id) => document.getElementById(id);
  const [metric, first, second, cut] = ["metric", "a", "b", "k"].map(at);
  const by = Object.fromEntries(functions.map((one) => [one.id, one]));
  const element = (tag, ...parts) => { const made = document.createElement(tag); made.append(...parts); return made; };
  const link = (text, href) => Object.assign(element("a", text), { href });
  const given = new URLSearchParams(location.hash.slice(1));
  const place = location.hash.slice(1);

  function fill() {
    const own = functions.filter((one) => one.metric === metric.value);
    for (const select of [first, second]) {
      const kept = select.value;
      const groups = [["newest releases", own.filter((one) => one.newest)], ["older releases", own.filter((one) => !one.newest)]];
      select.replaceChildren(...groups.filter(([, rows]) => rows.length).map(([label, rows]) => {
        const group = Object.assign(document.createElement("optgroup"), { label });
        group.append(...rows.map((one) => new Option(one.name, one.id)));
        return group;
      }));
      if (own.some((one) => one.id === kept)) select.value = kept;
    }
    if (first.value === second.value) {
      const other = own.find((one) => one.newest && one.definition !== by[first.value].definition) ?? own[own.length - 1];
      second.value = other.id;
    }
  }
  const PART = {
    norel: "users without relevant items", nolist: "users without a list", dup: "an item listed twice", ties: "equal scores",
    disc: "discount", rel: "relevant from", short_list: "a list shorter than k", k_beyond_items: "k above the number of items",
    divide_by: "divided by", sum_over: "summed over", round: "rounded to digits", rounds: "what is rounded", only: "what is read",
    times: "multiplied by",
  };
  const words = (text) => (text ?? "–").replaceAll("_", " ");
  const same = (a, b) => a === b || (typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)));
  const size = (probe) => probe.users.length * 1000 + probe.k * 20 + Math.max(0, ...probe.users.map((user) => user.list.length));
  const shown = (value) => typeof value === "number" ? String(Number(value.toPrecision(6))) : value === "nan" ? "NaN" : value ?? "an error";

  function lists(probe) {
    const box = Object.assign(document.createElement("div"), { className: "lists" });
    probe.users.forEach((user, number) => {
      const line = element("p");
      if (probe.users.length > 1) line.append(Object.assign(element("span", `user ${number + 1} `), { className: "who" }));
      user.list.forEach((item, rank) => {
        const hit = user.hits[rank], cell = element("span", String(item));
        cell.className = `item${hit ? " hit" : ""}${rank >= probe.k ? " beyond" : ""}${rank + 1 === probe.k && rank + 1 < user.list.length ? " cut" : ""}`;
        if (hit) cell.append(Object.assign(element("span", " hit"), { className: "hidden" }));
        line.append(cell);
      });
      if (!user.list.length) line.append(element("em", "empty list"));
      const graded = user.gains.some((gain) => gain !== 1);
      const relevant = user.relevant.map((item, place) => graded ? `${item} (rating ${user.gains[place]})` : item).join(", ");
      line.append(Object.assign(element("span", `relevant: ${relevant || "none"}`), { className: "relevant" }));
      box.append(line);
    });
    box.append(Object.assign(element("p", `k = ${probe.k}; hits are marked, ranks past k are dashed. ${probe.about[0].toUpperCase()}${probe.about.slice(1)}.`), { className: "hint" }));
    return box;
  }

  function compare() {
    const a = by[first.value], b = by[second.value];
    const definitions = a.definition === b.definition;
    const edges = Object.keys(a.edges).filter((edge) => a.edges[edge] !== b.edges[edge]);
    at("verdict").textContent = !definitions ? "They compute different definitions"
      : edges.length ? "One definition, other edges" : "They compute the same, edges included";
    const row = (head, one, other) => { const line = element("tr", element("th", head), element("td", one), element("td", other)); line.firstChild.scope = "row"; return line; };
    const named = (one) => link(titles[one.definition][0], titles[one.definition][2]);
    const parts = (signature) => Object.fromEntries(signature.split("|").slice(1).map((part) => part.split(/:(.*)/s)));
    const [pa, pb] = [parts(a.signature), parts(b.signature)];
    const differing = [...new Set([...Object.keys(pa), ...Object.keys(pb)])].filter((name) => pa[name] !== pb[name] && name !== "mh");
    const head = element("thead", element("tr", ...["part", `A: ${a.name}`, `B: ${b.name}`].map((text) => Object.assign(element("th", text), { scope: "col" }))));
    at("parts").replaceChildren(head, element("tbody",
      row("function", link(a.name, `${a.page}#${a.id}`), link(b.name, `${b.page}#${b.id}`)),
      row("definition", named(a), named(b)),
      ...differing.map((name) => row(PART[name] ?? words(name), words(pa[name]), words(pb[name]))),
      ...edges.filter((edge) => ["short_list", "k_beyond_items"].includes(edge)).map((edge) => row(PART[edge], words(a.edges[edge]), words(b.edges[edge])))));
    const apart = probes.filter((probe) => probe.name in a.answers && probe.name in b.answers && !same(a.answers[probe.name], b.answers[probe.name]))
      .sort((one, two) => (one.edge !== null) - (two.edge !== null) || size(one) - size(two));
    const box = at("case");
    box.replaceChildren(element("h2", "The smallest probe that they answered differently"));
    if (apart.length) {
      const probe = apart[0];
      box.append(lists(probe), element("p", "A returned ", element("strong", shown(a.answers[probe.name])), ", B returned ", element("strong", shown(b.answers[probe.name])), "."));
    } else box.append(element("p", "There is none: they answered every probe that both were asked alike."));
    const k = Math.max(1, Math.floor(Number(cut.value)) || 20);
    const signature = (one) => one.signature.replace("@k|", `@${k}|`);
    const command = (from, to) => `metric-harness signature convert VALUE --from "${signature(from)}" --to "${signature(to)}" --relevant-per-user 1-50`;
    at("a-to-b").textContent = command(a, b);
    at("b-to-a").textContent = command(b, a);
    at("compare").textContent = `metric-harness compare --libraries ${[...new Set([a.library, b.library])].join(",")} --k ${k}`;
    history.replaceState(null, "", `#a=${a.id}&b=${b.id}&k=${k}`);
  }
  const claimed = new Set(functions.map((one) => one.metric));
  for (const [key, label] of Object.entries(metrics)) if (claimed.has(key)) metric.append(new Option(label, key));
  metric.value = (by[given.get("a")] ?? { metric: "average_precision" }).metric;
  fill();
  if (by[given.get("a")]) first.value = given.get("a");
  if (by[given.get("b")]?.metric === metric.value) second.value = given.get("b");
  fill();
  if (given.get("k")) cut.value = given.get("k");
  metric.addEventListener("input", () => { fill(); compare(); });
  for (const control of [first, second, cut]) control.addEventListener("input", compare);
  at("swap").addEventListener("click", () => { [first.value, second.value] = [second.value, first.value]; compare(); });
  compare();
  if (place === "data") at("data").scrollIntoView();
})();
