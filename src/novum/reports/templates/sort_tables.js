"use strict";
// Tables of the class "sortable": a click on a head sorts by its column, a second one the other way round.
// What has no value stays at the end, whichever way.
makeSortable(document);
function makeSortable(place) {
  for (const table of place.querySelectorAll("table.sortable:not([data-sorts])")) {
    table.dataset.sorts = "";
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, heads, at));
      head.append(button);
    });
  }
}

function sort(table, heads, at) {
  const text = "text" in heads[at].dataset;
  const before = heads[at].getAttribute("aria-sort");
  const way = before ? (before === "ascending" ? "descending" : "ascending") : text ? "ascending" : "descending";
  const sign = way === "ascending" ? 1 : -1;
  const value = (row) => row.cells[at].dataset.v ?? "";
  const compare = (a, b) => (text ? a.localeCompare(b, undefined, { numeric: true }) : Number(a) - Number(b));
  const rows = [...table.tBodies[0].rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === "" || b === "") return (a === "") - (b === "");
    return sign * compare(a, b);
  });
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[at].setAttribute("aria-sort", way);
  table.tBodies[0].append(...rows);
}

// On paper nothing can be unfolded: what is closed opens for the print, and closes again.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach((part) => (part.open = true));
});
addEventListener("afterprint", () => {
  opened.forEach((part) => (part.open = false));
});
