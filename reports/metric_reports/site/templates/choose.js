// The chooser: answers to at most six questions, and the signature that they make. The address keeps the answers.
(() => {
  "use strict";
  const { metrics, words, computed } = window.site.choose;
  const form = document.getElementById("questions");
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  const given = new URLSearchParams(location.hash.slice(1));
  const USERS = [
    ["", "left out if nothing is relevant to them; 0 if they have no list", { users: "both", norel: "skip", nolist: "0" }],
    ["trec_eval", "0 if nothing is relevant to them or they have no list, as in trec_eval", { users: "both", norel: "0", nolist: "0" }],
    ["all", "every user of the test set; what is missing counts 0", { users: "truth", norel: "0", nolist: "0" }],
    ["lists", "only users with a list and something relevant", { users: "both", norel: "skip", nolist: "skip" }],
  ];

  function field(name, question, control) {
    const label = document.createElement("label");
    control.name = name;
    label.append(question, control);
    form.append(label);
    control.addEventListener("input", () => { if (name === "metric") ask(); answer(); });
    return control;
  }
  function choice(name, question, options) {
    const select = document.createElement("select");
    for (const [value, text] of options) select.append(new Option(text, value));
    if (options.some(([value]) => value === given.get(name))) select.value = given.get(name);
    return field(name, question, select);
  }
  function number(name, question, usual, least) {
    const input = Object.assign(document.createElement("input"), { type: "number", min: least, value: given.get(name) || usual });
    input.step = name === "k" ? 1 : "any";
    return field(name, question, input);
  }

  const of = () => metrics.find((one) => one.metric === form.elements.metric.value);
  const QUESTION = {
    gain: "What does a relevant item gain?", ideal: "What is the ideal list?", discount: "What does a rank divide by?",
    divide_by: "What is it divided by?", sum_over: "Which ranks are summed?", over: "What is taken?", value: "What does a user count?",
    scope: "Which pairs of items are compared?", ties: "What does a pair of equal scores count?",
  };
  function ask() {
    if (form.elements.metric) for (const one of [...form.elements]) given.set(one.name, one.value);
    form.replaceChildren();
    const names = metrics.map((one) => [one.metric, one.label]);
    if (!given.get("metric")) given.set("metric", "ndcg");
    choice("metric", "1. Which metric?", names);
    const about = of();
    number("k", "at which cut-off k?", 20, 1);
    if (about.cuts) choice("cut", "and is the list cut there?", [["k", "yes"], ["none", "no: every rank counts"]]);
    let count = 1;
    for (const one of about.questions) choice(one.choice, `${++count}. ${QUESTION[one.choice]}`, one.values.map(([value, , text]) => [value, text]));
    if (about.relevance) {
      choice("who", `${++count}. Who is in the mean?`, USERS.map(([value, text]) => [value, text]));
      number("rel", `${++count}. From which rating on is an item relevant? (empty: any above 0)`, "", 0);
    }
  }

  const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");
  async function answer() {
    const about = of(), value = (name) => form.elements[name]?.value ?? "";
    const k = Math.max(1, Math.floor(Number(value("k"))) || 20), threshold = Number(value("rel")) > 0 ? String(Number(value("rel"))) : "";
    const parts = { ...about.parts };
    for (const one of about.questions) parts[one.part] = one.values.find(([name]) => name === value(one.choice))[1];
    if (about.cuts) parts.cut = value("cut");
    if (about.relevance) Object.assign(parts, USERS.find(([name]) => name === value("who"))[2]);
    if (threshold) parts.rel = `>=${threshold}`;
    const [page, title, plain] = about.known[[...about.questions.map((one) => value(one.choice)), ...(about.cuts ? [value("cut")] : [])].join(" ")];
    const head = `${about.metric}@${k}`, joined = (kept) => [head, ...kept.map(([name, word]) => `${name}:${word}`)].join("|");
    const full = joined(Object.entries(parts));
    put("chosen", plain[0].toUpperCase() + plain.slice(1));
    put("sentence", sentence(about, parts, title, k, threshold));
    put("full", full);
    const kept = joined(Object.entries(parts).filter(([name, word]) => name === "mh" || about.parts[name] !== word));
    const digest = globalThis.crypto?.subtle ? hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(full))).slice(0, 8) : null;
    put("short", digest ? `${kept}#${digest}` : full);
    const rows = computed[page] ?? [], list = document.getElementById("computed"), more = document.getElementById("more");
    list.replaceChildren(...rows.map(([name, address, evidence]) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = address;
      link.textContent = name;
      item.append(link, ` (${evidence})`);
      return item;
    }));
    more.replaceChildren(rows.length ? "What they do at the edges may differ: see the page of " : "No recorded function computes it. ");
    if (page) more.append(Object.assign(document.createElement("a"), { href: `variants/${page}.html`, textContent: "the definition" }), ".");
    const kept_answers = new URLSearchParams();
    for (const one of form.elements) if (one.value) kept_answers.set(one.name, one.value);
    history.replaceState(null, "", `#${kept_answers}`);
  }
  // the words of metric_reference.signatures.methods.sentence; a test holds the two together
  function sentence(about, parts, title, k, threshold) {
    const names = Object.keys(parts), choices = names.slice(0, names.indexOf("mean"));
    const made = choices.length ? ` (${choices.map((name) => `${name}: ${parts[name]}`).join(", ")})` : "";
    const edges = about.relevance ? [words.norel[parts.norel]] : [];
    if (about.relevance && about.lists) edges.push(words.nolist[parts.nolist]);
    if (about.lists) edges.push(words.dup[parts.dup], words.ties[parts.ties]);
    return `We report ${title} at k = ${k}${made}: ${words.mean[parts.mean]}, of ${words.users[parts.users]}` +
      (edges.length ? `; ${edges.join("; ")}` : "") +
      (about.relevance ? `. An item is relevant if it has ${threshold ? `a gain of at least ${threshold}` : "a gain above 0"}` : "") + ".";
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  ask();
  answer();
})();
