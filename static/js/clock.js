/* <time data-clock data-deadline="ISO" data-server-now="ISO" data-running="1" data-paused-seconds="0">
   Counts from what the server said, by the monotonic clock: the device's wall clock is never believed. */
"use strict";

(() => {
  const SOON = 300;
  const started = new WeakMap();

  const remaining = (clock) => {
    if (clock.dataset.running !== "1" && clock.dataset.pausedSeconds) return Number(clock.dataset.pausedSeconds);
    const source = clock.dataset.deadline + "|" + clock.dataset.serverNow;
    let start = started.get(clock);
    if (!start || start.source !== source) {
      const left = (Date.parse(clock.dataset.deadline) - Date.parse(clock.dataset.serverNow)) / 1000;
      start = { source, left, at: performance.now() };
      started.set(clock, start);
    }
    if (clock.dataset.running !== "1") return start.left;
    return start.left - (performance.now() - start.at) / 1000;
  };

  const words = (seconds) => {
    const whole = seconds >= 0 ? Math.ceil(seconds) : Math.floor(-seconds);
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor(whole / 60) % 60;
    const text = hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
    return seconds >= 0 ? text : `+${text}`;
  };

  const show = (clock) => {
    const seconds = remaining(clock);
    if (Number.isNaN(seconds)) return;
    const text = words(seconds);
    if (clock.textContent !== text) clock.textContent = text;
    const running = clock.dataset.running === "1";
    const state = !running ? "paused" : seconds < 0 ? "overtime" : seconds < SOON ? "soon" : "running";
    if (clock.dataset.state !== state) clock.dataset.state = state;
    const bar = clock.dataset.bar && document.getElementById(clock.dataset.bar);
    if (bar) bar.value = Math.max(0, seconds);
  };

  const tick = () => {
    for (const clock of document.querySelectorAll("time[data-clock]")) show(clock);
  };
  tick();
  setInterval(tick, 250);
  document.addEventListener("htmx:afterSettle", tick);
  document.addEventListener("visibilitychange", tick);
})();
