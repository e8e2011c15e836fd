// Draws the charts of a page. Expressions in them are interpreted, never compiled, and they load nothing.
document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll("[data-chart]")) {
    const chart = JSON.parse(document.getElementById(place.dataset.chart).textContent);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const config = dark ? {axis: {labelColor: "#a6acb3", titleColor: "#a6acb3", gridColor: "#343a40", domainColor: "#343a40", tickColor: "#343a40"}, legend: {labelColor: "#e7e5e0", titleColor: "#a6acb3"}, title: {color: "#e7e5e0"}, view: {stroke: null}} : {};
    config.background = null;
    vegaEmbed(place, chart, {ast: true, renderer: "svg", actions: false, defaultStyle: false, config, tooltip: {disableDefaultStyle: true}});
  }
});
