/* The wall board shows as many rows as fit and turns the page every eight seconds. */
"use strict";

(() => {
  const TURN = 8000;
  let page = 0;

  const turn = () => {
    const table = document.querySelector("[data-wall-pages]");
    if (!table) return;
    const rows = [...table.tBodies[0].rows];
    for (const row of rows) row.hidden = false;
    const room = window.innerHeight - table.tBodies[0].getBoundingClientRect().top - 16;
    const height = rows.length ? rows[0].getBoundingClientRect().height : 1;
    const fit = Math.max(1, Math.floor(room / height));
    const pages = Math.max(1, Math.ceil(rows.length / fit));
    page %= pages;
    rows.forEach((row, place) => { row.hidden = Math.floor(place / fit) !== page; });
  };

  turn();
  setInterval(() => { page += 1; turn(); }, TURN);
  window.addEventListener("resize", turn);
  document.addEventListener("htmx:afterSettle", turn);
})();
