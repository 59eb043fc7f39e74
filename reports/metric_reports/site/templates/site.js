// Of every page: the search, buttons that copy, tables that sort. Nothing is loaded but the site's own search data.
(() => {
  "use strict";
  const root = document.currentScript.dataset.root;
  const MOST = 30;

  // search: ranked by MiniSearch; any word may match, as a beginning or with a slip; names count more than descriptions
  const input = document.getElementById("search"), box = document.getElementById("found");
  const list = box.querySelector("ol"), status = box.querySelector("p");
  const KINDS = { metric: 5, library: 3, page: 1.5, rule: 1.5 };  // relative to functions and definitions
  const script = (path) => new Promise((done) => {
    const element = document.createElement("script");
    element.src = root + path;
    element.onload = done;
    document.head.append(element);
  });
  let asked = null;
  const load = () => asked ??= Promise.all([script("minisearch.js"), script("data/search.js")]).then(() => {
    const index = new MiniSearch({
      fields: ["title", "kind", "words"],
      storeFields: ["title", "kind", "page"],
      searchOptions: {
        boost: { title: 3 },
        boostDocument: (id, term, stored) => KINDS[stored.kind] ?? 1,
        prefix: (term) => term.length > 2,
        fuzzy: (term) => term.length > 4 ? 0.2 : false,
      },
    });
    index.addAll(window.site.search.map(([title, kind, page, words], id) => ({ id, title, kind, page, words })));
    return index;
  });
  async function search() {
    const text = input.value.trim().replace(/@\d+/g, "");
    const found = (await load()).search(text);
    list.replaceChildren(...found.slice(0, MOST).map(({ title, kind, page }) => {
      const item = document.createElement("li"), link = document.createElement("a"), what = document.createElement("span");
      link.href = root + page;
      what.textContent = kind;
      link.append(title, what);
      item.append(link);
      return item;
    }));
    status.textContent = `${found.length || "Nothing"} found${found.length > MOST ? `, the first ${MOST} shown` : ""}`;
    box.hidden = !text;
  }
  input.addEventListener("focus", load, { once: true });
  input.addEventListener("input", search);
  input.form.addEventListener("submit", (event) => { event.preventDefault(); list.querySelector("a")?.click(); });
  input.form.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "Escape") { box.hidden = true; input.focus(); }
    if (box.hidden || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
  });
  document.addEventListener("click", (event) => { if (!input.form.contains(event.target)) box.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) { event.preventDefault(); input.focus(); }
  });

  // copy: the clipboard of the browser where the page may use it, else the selection
  async function copy(text, code) {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* no right to it: select instead */ }
    const range = document.createRange(), selected = getSelection();
    range.selectNodeContents(code);
    selected.removeAllRanges();
    selected.addRange(range);
    return document.execCommand("copy");
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    const code = document.getElementById(button.dataset.copy), label = button.firstChild;
    label.textContent = await copy(code.textContent, code) ? "Copied" : "Selected";
    setTimeout(() => { label.textContent = "Copy"; }, 1500);
  });

  // sort: by a column's text, or its numbers
  document.addEventListener("click", (event) => {
    const head = event.target.closest("table.sortable thead th");
    if (!head || !event.target.closest("button")) return;
    const place = [...head.parentNode.children].indexOf(head), body = head.closest("table").tBodies[0];
    const falling = head.getAttribute("aria-sort") === "ascending";
    const key = (row) => { const text = row.cells[place].textContent.trim(), number = parseFloat(text); return isNaN(number) ? text.toLowerCase() : number; };
    const rows = [...body.rows].map((row) => [key(row), row]);
    rows.sort(([a], [b]) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? 1 : -1) * (falling ? -1 : 1));
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  });
})();
