// Sort, filter and switch the tables of results. Without it the page shows every row and cell.
(() => {
  "use strict";
  const controls = document.getElementById("controls");
  const tables = [...document.querySelectorAll("table.measured-values")];
  if (!controls || !tables.length) return;

  const fields = [...controls.querySelectorAll("[data-filter]")];
  const said = controls.querySelector("[role=status]");
  const rows = tables.map((table) => [...table.querySelectorAll("tr[data-kinds]")]);
  const MANY = 9;  // with more libraries a phone begins with the first
  const GRAVER = { "": [], error: ["error"], warning: ["error", "warning"], note: ["error", "warning", "note"] };
  const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();
  const texts = new Map();
  // What an element says, with the titles of its links: the function behind a value, the definition behind a letter.
  const textOf = (element) => {
    if (!texts.has(element)) {
      const titles = [...element.querySelectorAll("a[title]")].map((link) => link.title);
      texts.set(element, plain([element.textContent, ...titles].join(" ")));
    }
    return texts.get(element);
  };

  // What is asked for, by name: kind, library, metric, severity, code, text; an empty one asks for nothing.
  function asked() {
    const kind = controls.querySelector("input[name=kind]:checked");
    const wanted = { kind: kind ? kind.value : "all", library: "", metric: "", severity: "", code: "", text: "" };
    for (const field of fields) wanted[field.dataset.filter] = field.value;
    wanted.words = plain(wanted.text).split(" ").filter(Boolean);
    return wanted;
  }

  // A row's name may hold some of the words and a cell the rest.
  function entryFits(entry, wanted, name) {
    if (wanted.severity && !GRAVER[wanted.severity].includes(entry.dataset.severity)) return false;
    if (wanted.code && !entry.dataset.codes.split(" ").includes(wanted.code)) return false;
    return wanted.words.every((word) => name.includes(word) || textOf(entry).includes(word));
  }

  // Show what is asked for of one row; how many of its cells are.
  function filterRow(row, wanted) {
    const name = textOf(row.cells[0]);
    const entries = [...row.querySelectorAll(".entry")];
    let shown = 0;
    for (const entry of entries) {
      entry.hidden = !entryFits(entry, wanted, name);
      const away = wanted.metric && entry.closest("td").dataset.metric !== wanted.metric;
      if (!entry.hidden && !away) shown += 1;
    }
    const kept = row.dataset.kinds.split(" ").includes(wanted.kind)
      && (!wanted.library || row.dataset.library === wanted.library);
    const bare = !entries.length && !wanted.metric && !wanted.code && !wanted.severity && wanted.words.every((word) => name.includes(word));
    row.hidden = !kept || !(shown || bare);
    return row.hidden ? 0 : shown;
  }

  // Definitions and values at the foot of a table are those of the cells that it shows.
  function foot(table, body) {
    if (!table.tFoot) return;
    for (const cell of table.tHead.rows[0].cells) {
      if (!cell.dataset.metric) continue;
      const entries = body.filter((row) => !row.hidden && row.cells[cell.cellIndex])
        .flatMap((row) => [...row.cells[cell.cellIndex].querySelectorAll(".entry:not([hidden])")]);
      const letters = new Set(entries.map((entry) => entry.querySelector("a.letter")).filter(Boolean).map((one) => one.hash));
      const measured = entries.filter((one) => one.dataset.value)
        .sort((one, two) => one.dataset.value - two.dataset.value);
      const ends = [measured[0], measured[measured.length - 1]].filter(Boolean)
        .map((one) => one.querySelector(".value").textContent.trim());
      table.tFoot.rows[0].cells[cell.cellIndex].textContent = letters.size;
      table.tFoot.rows[1].cells[cell.cellIndex].textContent = [...new Set(ends)].join(" to ") || "–";
    }
  }

  function show() {
    const wanted = asked();
    let cells = 0;
    let lines = 0;
    let all = 0;
    tables.forEach((table, index) => {
      for (const cell of table.querySelectorAll("[data-metric]")) {
        cell.hidden = Boolean(wanted.metric) && cell.dataset.metric !== wanted.metric;
      }
      table.classList.toggle("narrow", Boolean(wanted.metric));
      table.classList.toggle("with-notes", wanted.severity === "note");
      for (const row of rows[index]) {
        cells += filterRow(row, wanted);
        lines += row.hidden ? 0 : 1;
        all += 1;
      }
      foot(table, rows[index]);
      for (const body of table.tBodies) {
        const head = body.querySelector("tr.family");
        if (head) head.hidden = ![...body.rows].some((row) => row !== head && !row.hidden);
      }
    });
    for (const line of document.querySelectorAll(".legend [data-metric]")) {
      line.hidden = Boolean(wanted.metric) && line.dataset.metric !== wanted.metric;
    }
    said.textContent = lines ? `${lines} of ${all} rows, ${cells} cells` : "Nothing fits; choose less.";
  }

  // A row's number in a column: the smallest of its cells upwards, the largest downwards; null where it has none.
  function keyOf(row, column, down) {
    if (column === 0) return textOf(row.cells[0]);
    const cell = row.cells[column];
    const found = cell ? [...cell.querySelectorAll(".entry:not([hidden])")].map((entry) => entry.dataset.value) : [];
    const numbers = found.filter((value) => value !== "").map(Number);
    return numbers.length ? (down ? Math.max(...numbers) : Math.min(...numbers)) : null;
  }

  function sort(index, column, direction) {
    const down = direction === "descending";
    const keys = new Map(rows[index].map((row) => [row, direction === "none" ? 0 : keyOf(row, column, down)]));
    const order = [...rows[index]].sort((one, two) => {
      const [first, second] = [keys.get(one), keys.get(two)];
      if (first === null || second === null) return (first === null) - (second === null);
      const way = typeof first === "string" ? first.localeCompare(second) : first - second;
      return down ? -way : way;
    });
    const home = new Map(order.map((row) => [row, row.parentElement]));  // families stay together
    for (const row of order) home.get(row).append(row);
  }

  // A family folds behind its line.
  for (const title of document.querySelectorAll("tr.family .title")) {
    const button = document.createElement("button");
    const body = title.closest("tbody");
    button.type = "button";
    button.className = "title";
    button.textContent = title.textContent;
    button.setAttribute("aria-expanded", "true");
    button.addEventListener("click", () => {
      const folded = body.classList.toggle("folded");
      button.setAttribute("aria-expanded", String(!folded));
    });
    title.replaceWith(button);
  }

  let sorted = {};
  function order(index, column, direction) {
    const heads = [...tables[index].tHead.rows[0].cells];
    if (!heads[column]) return;
    for (const head of heads) head.setAttribute("aria-sort", "none");
    heads[column].setAttribute("aria-sort", direction);
    sort(index, column, direction);
    sorted = direction === "none" ? {} : { sort: String(column), way: direction, table: index ? String(index) : "" };
  }

  // What is shown, for the address.
  function write() {
    const { words, kind, ...wanted } = asked();
    pageState.write("results", { ...wanted, kind: kind === "all" ? "" : kind, ...sorted });
  }

  const next = { none: "ascending", ascending: "descending", descending: "none" };
  tables.forEach((table, index) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        order(index, column, next[head.getAttribute("aria-sort")]);
        write();
      });
    });
  });

  controls.addEventListener("input", () => {
    show();
    write();
  });
  controls.querySelector("[data-reset]").addEventListener("click", () => {
    for (const field of fields) field.value = "";
    const first = controls.querySelector("input[name=kind]");
    if (first) first.checked = true;
    show();
    write();
  });
  // On a phone: one library after another.
  const library = fields.find((field) => field.dataset.filter === "library");
  for (const button of controls.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      const all = library.options.length;
      library.selectedIndex = (library.selectedIndex + Number(button.dataset.step) + all) % all;
      show();
      write();
    });
  }
  if (matchMedia("(max-width: 52rem)").matches && library.options.length > MANY) library.selectedIndex = 1;
  controls.hidden = false;
  show();

  // The controls as the address says, and the order of the rows.
  pageState.on("results", (given) => {
    for (const field of fields) field.value = given.get(field.dataset.filter) ?? "";
    const kind = controls.querySelector(`input[name=kind][value="${CSS.escape(given.get("kind") ?? "all")}"]`);
    if (kind) kind.checked = true;
    show();
    if (given.has("sort")) order(Number(given.get("table") ?? 0), Number(given.get("sort")), given.get("way") ?? "ascending");
  });
})();
