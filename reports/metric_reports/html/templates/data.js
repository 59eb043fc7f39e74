// The record's functions, definitions and signatures, as the page carries them, and how to write elements of them.
const pageData = (() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  data.functions = data.functions.map((row) => {
    const one = Object.fromEntries(row.map((value, at) => [data.columns[at], value]));
    return { ...one, ...data.libraries[one.release] };
  });
  const NUMBERS = { nan: NaN, inf: Infinity, "-inf": -Infinity };
  const number = (value) => (typeof value === "number" ? value : NUMBERS[value] ?? null);
  const joined = (numbers, separator) => (numbers ?? []).map((one) => data.texts[one]).join(separator);
  const ofText = new Map(Object.keys(data.signatures).map((one) => [data.texts[one], data.signatures[one]]));
  const byId = new Map();
  for (const variant of data.variants) byId.set(variant.id, variant);
  for (const one of data.functions) {
    byId.set(one.id, one);
    one.definition = one.variant === null ? null : data.variants[one.variant];
    one.who = `${one.title} ${one.name}`;
    one.at = (k) => {
      const [value, predicted, signature] = one.cells[k] ?? [null, 0, null];
      return { value: number(value), predicted, signature: signature === null ? "" : data.texts[signature] };
    };
    one.edges = data.texts[one.edges].split(",");
    one.answers = new Map(data.texts[one.answers].split(",").map((value, probe) => [probe, NUMBERS[value] ?? Number(value), value])
      .filter(([, , value]) => value !== ""));
  }
  const ks = [...new Set(data.functions.flatMap((one) => Object.keys(one.cells)))].sort((a, b) => a - b);

  // A signature's texts: itself in full, and what cites it.
  function cited(short) {
    const found = ofText.get(short);
    if (!found) return null;
    const [full, tex, sentence, latex, bibtex] = found;
    const filled = (numbers, separator) => joined(numbers, separator).replaceAll("⟨signature⟩", () => data.texts[tex]);
    return { short, full: joined(full, "|"), sentence: filled(sentence, "; "), latex: filled(latex, "\n"), bibtex: filled(bibtex, "\n") };
  }

  // An element with attributes and children; a text is a text, never markup.
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null) made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== ""));
    return made;
  }

  const same = (one, other) => one === other || (Number.isNaN(one) && Number.isNaN(other))
    || Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other));
  const short = (value) => {
    if (value === null) return "–";
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "−∞";
    return value === 0 ? "0" : Number(value.toPrecision(4)).toString();
  };
  const signed = (value) => (value > 0 ? "+" : "") + short(value);
  const link = (one) => element("a", { href: `#${one.id}` }, `${one.title} `, element("code", {}, one.name));
  const grave = (one) => one.severity < 2 ? "" : element(
    "span", { class: `sev ${one.severity === 3 ? "error" : "warning"}` }, one.severity === 3 ? " ✕ error" : " ▲ warning",
  );

  function download(name, type, content) {
    const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const anchor = element("a", { href: address, download: name });
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  return { ...data, byId, ks, cited, element, same, short, signed, link, grave, download };
})();
