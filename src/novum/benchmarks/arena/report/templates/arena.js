"use strict";
// A pair that is unfolded shows its two ideas side by side, taken from where they stand on the page.
document.addEventListener("toggle", ({ target: pair }) => {
  if (!pair.matches?.("details.pair[data-one]") || !pair.open || pair.querySelector(".sides")) return;
  pair.querySelector(".both").replaceWith(besideEachOther(pair));
}, true);

function besideEachOther(pair) {
  const sides = document.createElement("div");
  sides.className = "sides";
  for (const anchor of [pair.dataset.one, pair.dataset.other]) {
    const idea = document.getElementById(anchor);
    const side = document.createElement("div");
    const who = document.createElement("p");
    who.className = "who";
    who.append(idea.querySelector("summary bdi").cloneNode(true));
    const title = document.createElement("p");
    title.className = "title";
    title.append(...idea.querySelector("summary .name").cloneNode(true).childNodes);
    side.append(who, title, ...judgedParts(idea, pair.dataset.kind));
    sides.append(side);
  }
  return sides;
}

function judgedParts(idea, kind) {
  const body = idea.querySelector(".body").cloneNode(true);
  const isPlan = (part) => part.nodeType === Node.ELEMENT_NODE && part.classList.contains("plan");
  return [...body.childNodes].filter((part) => isPlan(part) === (kind === "experiment"));
}

// A link to an idea unfolds it, and what it lies in.
addEventListener("hashchange", unfold);
unfold();
function unfold() {
  const place = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (!place) return;
  for (let part = place; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  place.scrollIntoView();
}

// Thousands of pairs would be thousands of sheets: of the topics only what is unfolded is printed. What lies open is
// noted before the other script opens everything, and what it opened there is closed after it.
let unfolded = new Set();
addEventListener("beforeprint", () => {
  unfolded = new Set(document.querySelectorAll("#topics details[open]"));
});
addEventListener("DOMContentLoaded", () => {
  addEventListener("beforeprint", () => {
    document.querySelectorAll("#topics details[open]").forEach((part) => (part.open = unfolded.has(part)));
  });
});

