// What the page shows, in the fragment of its address: #PLACE?NAME=VALUE&... A link so shows what its sender saw.
const pageState = (() => {
  "use strict";
  const listeners = [];

  function read() {
    const [place, query] = location.hash.slice(1).split("?");
    return { place: decodeURIComponent(place), given: new URLSearchParams(query ?? "") };
  }

  // Write what a part of the page shows, without its empty values; the address changes, nothing moves.
  function write(place, values) {
    const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
    history.replaceState(null, "", `#${place}${query.size ? `?${query}` : ""}`);
  }

  // A section that a link leads to takes the keyboard with it, and closed parts of the page around it open.
  function arrive() {
    const { place, given } = read();
    for (const [name, listener] of listeners) if (name === place) listener(given);
    const target = place && document.getElementById(place);
    if (!target) return;
    for (let around = target; around; around = around.parentElement) {
      if (around.tagName === "DETAILS") around.open = true;
      if (around.classList.contains("folded")) around.classList.remove("folded");
    }
    if (given.size) target.scrollIntoView();
    if (target.matches("article, li, details, h3, strong")) {
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
    }
  }

  document.querySelector(".ask")?.removeAttribute("hidden");
  addEventListener("hashchange", arrive);
  addEventListener("DOMContentLoaded", arrive);
  return { write, on: (place, listener) => listeners.push([place, listener]) };
})();
