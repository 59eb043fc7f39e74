// What a paper needs of a number, with buttons that copy it; pictures and data to take along; what printing opens.
(() => {
  "use strict";
  const { element: make, functions, ks, short, download } = pageData;

  // The clipboard of a page from a file may be closed to it; then the text is selected, and copied in the old way.
  async function copy(text, button) {
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      const area = make("textarea", { readonly: true });
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
      button.focus();
    }
    const name = button.textContent;
    button.textContent = done ? "Copied" : "Select it and copy";
    setTimeout(() => { button.textContent = name; }, 1500);
  }

  function copied(text, name = "") {
    const button = make("button", { type: "button", class: "copy" }, `Copy${name ? ` ${name}` : ""}`);
    button.addEventListener("click", () => copy(text, button));
    return make("div", { class: "copied" }, make("pre", { tabindex: "0" }, make("code", {}, text)), button);
  }
  pageData.copied = copied;

  function fill(box, signature) {
    const texts = pageData.cited(signature);
    if (!texts) return box.append(copied(signature, "signature"));
    box.append(copied(texts.short, "signature"));
    if (texts.full !== texts.short) box.append(copied(texts.full, "full signature"));
    for (const [name, text] of [["sentence", texts.sentence], ["LaTeX", texts.latex], ["BibTeX", texts.bibtex]]) {
      if (text) box.append(copied(text, name));
    }
    return undefined;
  }

  pageData.citation = (signature, open = false) => {
    const box = make("details", { class: "cite", open }, make("summary", {}, "For a paper: ", make("code", {}, signature)));
    const first = () => { if (box.childElementCount === 1) fill(box, signature); };
    box.addEventListener("toggle", first);
    if (open) first();
    return box;
  };
  for (const box of document.querySelectorAll("details.cite")) {
    box.addEventListener("toggle", () => {
      const code = box.querySelector(":scope > .signature");
      if (!code) return;
      code.remove();
      fill(box, code.textContent);
    });
  }
  pageData.ready?.();

  // Numbers to take along.
  const quoted = (value) => `"${String(value ?? "").replaceAll('"', '""').replace(/^[=+\-@]/, "'$&")}"`;
  const rows = () => functions.flatMap((one) => ks.filter((k) => one.cells[k]).map((k) => {
    const { value, predicted, signature } = one.at(k);
    return {
      library: one.library, release: one.release, function: one.name, metric: one.metric, k: Number(k), value: Number.isFinite(value) ? value : short(value),
      predicted: Boolean(predicted), definition: one.definition?.name ?? "", variant: one.definition?.printed ?? "", signature,
      says_it_is: one.apart, edges: Object.fromEntries(pageData.edges.map((edge, at) => [edge, one.edges[at]])),
    };
  }));
  const take = { csv: () => {
    const found = rows().map(({ edges, ...row }) => ({ ...row, ...edges }));
    const head = Object.keys(found[0] ?? {});
    download("results.csv", "text/csv", [head.map(quoted), ...found.map((row) => head.map((name) => (typeof row[name] === "number" ? row[name] : quoted(row[name]))))].map((row) => row.join(",")).join("\r\n"));
  }, json: () => download("results.json", "application/json", JSON.stringify(rows(), null, 1)) };
  for (const button of document.querySelectorAll("[data-take]")) {
    button.hidden = false;
    button.addEventListener("click", take[button.dataset.take]);
  }

  // A picture as a file: the colours of the page are put in, so that it looks the same elsewhere.
  function standing(svg) {
    const style = getComputedStyle(document.documentElement);
    const text = new XMLSerializer().serializeToString(svg).replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
    const ground = style.getPropertyValue("--paper").trim();
    return text.replace(/<svg ([^>]*)>/, `<svg $1 font-family="Helvetica, Arial, sans-serif" style="background:${ground}">`);
  }
  function drawn(svg, name) {
    const { width, height } = svg.viewBox.baseVal;
    const picture = new Image();
    picture.addEventListener("load", () => {
      const canvas = make("canvas", { width: width * 3, height: height * 3 });
      const context = canvas.getContext("2d");
      context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => download(`${name}.png`, "image/png", blob));
    });
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standing(svg))}`;
  }
  for (const figure of document.querySelectorAll("figure.chart")) {
    const svg = figure.querySelector("svg");
    const name = figure.querySelector("figcaption").id.replace(/-caption$/, "");
    const [one, other] = ["SVG", "PNG"].map((kind) => make("button", { type: "button", "aria-label": `${kind} of ${figure.querySelector("title").textContent}` }, kind));
    one.addEventListener("click", () => download(`${name}.svg`, "image/svg+xml", standing(svg)));
    other.addEventListener("click", () => drawn(svg, name));
    figure.append(make("p", { class: "take" }, one, " ", other));
  }

  // On paper everything is open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));
})();
