/* <time data-clock data-deadline="ISO" data-server-now="ISO" data-running="1" data-quiet>
   Counts to the server's deadline by the device's monotonic clock, which is set by asking the server for its time, half of the way
   there and back taken off, and set again after a sleep. The device's wall clock is not believed; only where the server can't be
   asked does it stand in, by as much as it was wrong before.
   <body data-now-url> says where to ask. A clock that is not quiet tells "clock:mark" at 10, 5 and 0 minutes, and the title. */
"use strict";

(() => {
  const SOON = 300;
  const MARKS = [600, 300, 0];
  const GOOD = 250; /* milliseconds: as near as a screen has to be, and half to spare */
  const AGAIN = 600_000;
  const TRY_AGAIN = 15_000;
  const KEPT = "tiltyard-clock-wrong-by";
  const url = document.body.dataset.nowUrl;
  const title = document.title;

  /* -- what time it is at the server -- */
  let offset = null; /* its milliseconds minus performance.now() */
  let asking = false;
  let next = null;
  let apart = Date.now() - performance.now();

  const kept = (wrongBy) => {
    try {
      if (wrongBy === undefined) return Number(localStorage.getItem(KEPT) ?? NaN);
      localStorage.setItem(KEPT, String(wrongBy));
    } catch { /* a browser that keeps nothing */ }
    return NaN;
  };

  const askOnce = async () => {
    const sent = performance.now();
    const answer = await fetch(url, { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(5000) });
    const received = performance.now();
    if (!answer.ok) throw new Error(`now: ${answer.status}`);
    const way = (received - sent) / 2;
    return { way, offset: Date.parse((await answer.json()).now) + way - received };
  };

  const ask = async () => {
    if (!url || asking) return;
    asking = true;
    clearTimeout(next);
    let best = null;
    try {
      for (let times = 0; times < 4 && !(best && best.way < GOOD / 4); times += 1) {
        const found = await askOnce();
        if (!best || found.way < best.way) best = found;
      }
    } catch { /* what was found before it went away will do */ }
    if (best) {
      offset = best.offset;
      kept(Math.round(performance.now() + offset - Date.now()));
    } else if (offset === null && !Number.isNaN(kept())) {
      offset = Date.now() + kept() - performance.now();
    }
    apart = Date.now() - performance.now();
    asking = false;
    next = setTimeout(ask, best && best.way < GOOD ? AGAIN : TRY_AGAIN);
    tick();
  };

  /* A monotonic clock may stand still while the device sleeps, and the other does not. */
  const slept = () => {
    const jump = Date.now() - performance.now() - apart;
    if (Math.abs(jump) < 500) return;
    apart += jump;
    if (offset !== null && jump > 0) offset += jump;
    ask();
  };

  const seen = new WeakMap();
  const arrival = () => {
    const [page] = performance.getEntriesByType("navigation");
    return page && page.responseStart > 0 ? page.responseStart : performance.now();
  };
  let isFirst = true;

  /* Until the server was asked: what the page came with, from when it came. */
  const fromPage = (clock) => {
    const source = clock.dataset.serverNow;
    let start = seen.get(clock);
    if (!start || start.source !== source) {
      start = { source, offset: Date.parse(source) - (isFirst ? arrival() : performance.now()) };
      seen.set(clock, start);
    }
    return start.offset;
  };

  const remaining = (clock) => {
    const deadline = Date.parse(clock.dataset.deadline);
    if (clock.dataset.running !== "1") return (deadline - Date.parse(clock.dataset.serverNow)) / 1000;
    return (deadline - performance.now() - (offset ?? fromPage(clock))) / 1000;
  };

  /* -- what is shown -- */
  const words = (seconds) => {
    const whole = seconds >= 0 ? Math.ceil(seconds) : Math.floor(-seconds);
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor(whole / 60) % 60;
    const text = hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
    return seconds >= 0 ? text : `+${text}`;
  };

  const show = (clock, seconds) => {
    const text = words(seconds);
    if (clock.textContent !== text) clock.textContent = text;
    const running = clock.dataset.running === "1";
    const state = !running ? "paused" : seconds < 0 ? "overtime" : seconds < SOON ? "soon" : "running";
    if (clock.dataset.state !== state) clock.dataset.state = state;
    const bar = clock.dataset.bar && document.getElementById(clock.dataset.bar);
    if (bar) bar.value = Math.max(0, seconds);
  };

  let before = null;
  const tell = (clock, seconds) => {
    const runs = clock && clock.dataset.running === "1";
    const word = !runs || seconds > MARKS[0] ? "" : seconds > 0 ? `${Math.ceil(seconds / 60)} min left · ` : "Time · ";
    if (document.title !== word + title) document.title = word + title;
    const mark = runs && before !== null && MARKS.find((at) => before > at && seconds <= at && seconds > at - 5);
    if (mark !== undefined && mark !== false) document.dispatchEvent(new CustomEvent("clock:mark", { detail: { minutes: mark / 60 } }));
    before = runs ? seconds : null;
  };

  /* Comes again when the next figure changes, so that it is never late by more than a frame or two. */
  let timer = null;
  const tick = () => {
    clearTimeout(timer);
    slept();
    let wait = 1000;
    let first = null;
    for (const clock of document.querySelectorAll("time[data-clock]")) {
      const seconds = remaining(clock);
      if (Number.isNaN(seconds)) continue;
      show(clock, seconds);
      if (clock.dataset.running === "1") wait = Math.min(wait, (((seconds % 1) + 1) % 1) * 1000);
      if (first === null && clock.dataset.quiet === undefined) first = { clock, seconds };
    }
    tell(first && first.clock, first && first.seconds);
    isFirst = false;
    timer = setTimeout(tick, Math.max(20, wait + 4));
  };

  tick();
  if (document.querySelector("time[data-clock]")) ask();
  document.addEventListener("htmx:afterSettle", () => {
    if (offset === null && document.querySelector("time[data-clock]")) ask();
    tick();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && offset !== null) ask(); tick(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
  window.addEventListener("online", ask);
})();
