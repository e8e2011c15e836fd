// The workbench in the browser: keys, live progress, dialogs. Everything else is plain HTML, links and forms.
"use strict";

const find = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const news = text => { const place = find("#news"); if (place) place.textContent = text; };

// -- requests for parts of a page carry the token of the page
document.addEventListener("htmx:config:request", event => {
  const request = event.detail.ctx.request;
  request.headers["X-Form-Token"] = find("meta[name=form-token]").content;
});

document.addEventListener("htmx:after:swap", () => globalThis.makeSortable?.(document));

// -- answers of participants: one that could not be saved is told, and sent again
const unsaved = new Map();
const answerOf = event => event.target.closest?.("[hx-target='#saved']");
const tellUnsaved = () => {
  if (unsaved.size) find("#saved").textContent = "Not saved yet: no connection. It is tried again. Leave this page open.";
};
const saveAgain = () => {
  for (const answer of unsaved.values()) if (answer.checked) answer.dispatchEvent(new Event("change", { bubbles: true }));
};
document.addEventListener("htmx:error", event => {
  const answer = answerOf(event);
  if (!answer) return;
  unsaved.set(answer.name, answer);
  tellUnsaved();
  setTimeout(saveAgain, 5000);
});
document.addEventListener("htmx:after:swap", event => {
  const answer = event.detail?.ctx?.sourceElement;
  if (answer?.matches?.("[hx-target='#saved']")) unsaved.delete(answer.name);
  tellUnsaved();
});
addEventListener("online", saveAgain);

// -- keys
const typing = element => element.closest("input, textarea, select, [contenteditable]");
let went = "";
const KEYS = {
  "/": () => (find("[data-search]") || find("#find"))?.focus(),
  "?": () => find("#help")?.showModal(),
  "j": () => hop(1),
  "k": () => hop(-1),
};
// Pages of participants have no list of keys, and lead nowhere else.
const PLACES = find("#help") ? {s: "/", l: "/library", b: "/leaderboards", c: "/compare", t: "/studies"} : {};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (went === "g" && PLACES[event.key]) { location.href = PLACES[event.key]; return; }
  went = event.key;
  const action = KEYS[event.key];
  if (action) { event.preventDefault(); action(); }
});
function closeMenus(except) {
  for (const menu of all("details.menu[open]")) {
    if (menu === except) continue;
    if (menu.contains(document.activeElement)) find("summary", menu).focus();
    menu.open = false;
  }
}
document.addEventListener("keydown", event => { if (event.key === "Escape") closeMenus(); });
document.addEventListener("click", event => closeMenus(event.target.closest("details.menu")));
function hop(by) {
  const rows = all(".hop");
  if (!rows.length) return;
  const here = rows.findIndex(row => row.contains(document.activeElement));
  const next = rows[Math.min(Math.max(here + by, 0), rows.length - 1)];
  (find("a, summary, button", next) || next).focus();
  next.scrollIntoView({block: "nearest"});
}

// -- dialogs and parts that open others
document.addEventListener("click", event => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens).showModal();
  const link = event.target.closest("a[href^='#']");
  if (link) reveal(link.getAttribute("href").slice(1));
});
document.addEventListener("toggle", ({target}) => {  // what is folded away is fetched when it is opened
  if (target.open) for (const part of all(":scope > [hx-get]", target)) htmx.trigger(part, "unfold");
}, true);
document.addEventListener("change", event => {
  if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
});
document.addEventListener("submit", event => {
  const question = event.target.dataset.confirm;
  if (question && !confirm(question)) { event.preventDefault(); return; }
  for (const button of all("button.primary", event.target)) setTimeout(() => { button.disabled = true; });
});
addEventListener("pageshow", () => all("button.primary:disabled").forEach(button => { button.disabled = false; }));
function reveal(id) {
  const place = id ? document.getElementById(id) : null;
  for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

// -- live progress of a run: the browser reconnects by itself and names the last event it saw
function follow(place) {
  const source = new EventSource(place.dataset.feed);
  const seen = find("#activity");
  source.addEventListener("progress", event => { find("#progress").innerHTML = event.data; tick(); });
  source.addEventListener("event", event => {
    const told = JSON.parse(event.data);
    place.dataset.events = +place.dataset.events + 1;
    place.dataset.last = told.number;
    if (!seen) return;
    const line = document.createElement("li");
    line.textContent = [told.step, told.kind.replaceAll("-", " ")].filter(Boolean).join(": ");
    seen.prepend(line);
    while (seen.children.length > 300) seen.lastChild.remove();
  });
  source.addEventListener("ended", () => {
    if (place.dataset.active === "yes") { source.close(); location.reload(); }
  });
  source.addEventListener("again", () => { source.close(); follow(place); });
  source.addEventListener("steering", () => {
    news("Another browser changed this run.");
    for (const part of all("[data-steering]")) htmx.trigger(part, "steering");
  });
  addEventListener("pagehide", () => source.close());
}
function tick() {
  for (const clock of all("time[data-since]")) {
    const seconds = Math.max(0, Math.round(Date.now() / 1000 - clock.dataset.since));
    if (clock.dataset.since > 0) clock.textContent = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
}

document.addEventListener("DOMContentLoaded", () => {
  all("[data-feed]").forEach(follow);
  setInterval(tick, 1000);
  reveal(location.hash.slice(1));
  const waiting = find("[data-reload]");
  if (waiting) setTimeout(() => location.reload(), +waiting.dataset.reload);
});
