/* The wall board shows as many rows as fit and turns the page every eight seconds; in between it asks whether there is anything new.
   Nobody stands by to reload it: it asks again for ever, shows what it has while the server is away, and keeps nothing of what it
   showed before. */
"use strict";

(() => {
  const TURN = 8000;
  const ASK = 3000;
  const LONGEST = 15000;
  const PATIENCE = 10000;
  const COLUMNS = { "wall-few": 1, "wall-many": 2, "wall-crowd": 4 };
  let at = 0;
  let etag = null;
  let failures = 0;
  let shownClock = "";

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  const columnsOf = (rows) => {
    const board = rows.closest(".wall-board");
    return Object.entries(COLUMNS).find(([name]) => board.classList.contains(name))?.[1] ?? 1;
  };

  /* How many pages a screen has, and how many rows each: measured, so that it holds for every size of screen. */
  const measure = (screen) => {
    const rows = screen.querySelector("[data-wall-rows]");
    if (!rows) return { pages: 1 };
    const columns = columnsOf(rows);
    const height = parseFloat(getComputedStyle(rows).getPropertyValue("--wall-row")) * window.innerHeight / 100;
    const fit = Math.max(1, Math.floor(rows.clientHeight / height));
    const items = rows.children.length;
    return { rows, fit, each: fit * columns, pages: Math.max(1, Math.ceil(items / (fit * columns))) };
  };

  const showPage = (screen, { rows, fit, each, pages }, page) => {
    if (!rows) { fitBracket(screen); return; }
    rows.style.setProperty("--wall-rows", fit);
    const items = [...rows.children];
    const visible = items.filter((item, place) => {
      const here = Math.floor(place / each) === page;
      item.hidden = !here;
      return here;
    });
    for (const item of visible) {
      for (const name of all(".wall-name, .wall-note", item)) {
        name.classList.remove("is-long");
        if (name.scrollWidth > name.clientWidth) name.classList.add("is-long");
      }
    }
    const guide = screen.querySelector("[data-wall-guide]");
    if (guide && visible.length) {
      const [first, last] = [visible[0].dataset.guide, visible[visible.length - 1].dataset.guide];
      guide.textContent = first === last ? first : `${first} – ${last}`;
    }
    const words = screen.querySelector("[data-wall-pages]");
    if (words) words.textContent = pages > 1 ? `Page ${page + 1} of ${pages}` : "";
  };

  const fitBracket = (screen) => {
    const frame = screen.querySelector("[data-wall-fit]");
    const bracket = frame && frame.firstElementChild;
    if (!bracket) return;
    bracket.style.transform = "none";
    bracket.style.width = "max-content";
    const scale = Math.min(2.4, frame.clientWidth / bracket.scrollWidth, (frame.clientHeight - 24) / bracket.scrollHeight);
    bracket.style.transform = `scale(${scale})`;
  };

  const show = () => {
    const screens = all("[data-wall-screen]");
    for (const screen of screens) screen.hidden = false;
    const sizes = screens.map((screen, place) => {
      screens.forEach((other, where) => { other.hidden = where !== place; });
      return measure(screen);
    });
    const total = sizes.reduce((sum, size) => sum + size.pages, 0);
    let page = total ? at % total : 0;
    at = page;
    screens.forEach((screen, place) => {
      const mine = page >= 0 && page < sizes[place].pages;
      screen.hidden = !mine;
      if (mine) showPage(screen, sizes[place], page);
      page -= sizes[place].pages;
    });
    fitClock(true);
  };

  /* As large as its column: the words get wider and narrower as time goes by. */
  const fitClock = (anew) => {
    const place = document.querySelector(".wall-few [data-wall-clock]");
    const figure = place && place.querySelector("time, .clock-figure");
    if (!figure || (!anew && figure.textContent.length === shownClock.length)) return;
    shownClock = figure.textContent;
    place.style.setProperty("--wall-clock", "100px");
    const wide = figure.getBoundingClientRect().width;
    const room = place.clientWidth;
    if (wide) place.style.setProperty("--wall-clock", `${Math.min(100 * room / wide * 0.98, window.innerHeight * 0.5)}px`);
  };

  const say = (isAway) => {
    let note = document.querySelector(".wall-away");
    if (!note) {
      note = Object.assign(document.createElement("p"), { className: "wall-away", hidden: true });
      note.textContent = "No connection just now: this may be old. It comes back by itself.";
      note.setAttribute("role", "status");
      document.body.append(note);
    }
    note.hidden = !isAway;
  };

  const ask = async () => {
    const headers = { "HX-Request": "true" };
    if (etag) headers["If-None-Match"] = etag;
    const answer = await fetch(location.href, {
      headers, cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.status === 304) return;
    if (!answer.ok) throw new Error(`wall: ${answer.status}`);
    const text = await answer.text();
    const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("#fragment .wall-board");
    if (!fresh) throw new Error("wall: that was another page");
    const before = titles();
    document.querySelector("#fragment").replaceChildren(document.adoptNode(fresh));
    etag = answer.headers.get("ETag");
    if (titles() !== before) at = 0;
    document.dispatchEvent(new Event("htmx:afterSettle")); /* the clock shows itself at once */
    show();
  };
  const titles = () => all("[data-wall-screen] h2 > span:first-child").map((title) => title.textContent).join("|");

  const keepAsking = async () => {
    try {
      await ask();
      failures = 0;
    } catch {
      failures += 1;
    }
    say(failures >= 3);
    setTimeout(keepAsking, Math.min(LONGEST, ASK * 1.5 ** failures) * (0.8 + Math.random() * 0.4));
  };

  show();
  setInterval(() => { at += 1; show(); }, TURN);
  setInterval(() => fitClock(false), 500);
  window.addEventListener("resize", show);
  if (document.fonts) document.fonts.ready.then(show);
  keepAsking();
})();
