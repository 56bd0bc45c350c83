/* The desk: a part that somebody is using is not refreshed under their hands, and a new event begins in the zone of the
   device. Every page works without this file. */
"use strict";

(() => {
  const held = new Set();

  const inUse = (part) => {
    const active = document.activeElement;
    const typing = active && part.contains(active) && active.matches("input:not([type=hidden]), textarea, select");
    return typing || part.querySelector("details[open] form") !== null;
  };
  document.addEventListener("htmx:beforeRequest", (event) => {
    const part = event.target;
    if (!part.matches("[data-hold-while-open]") || !inUse(part)) return;
    event.preventDefault();
    held.add(part.id);
  });
  const release = () => {
    for (const id of held) {
      const part = document.getElementById(id);
      if (part && inUse(part)) continue;
      held.delete(id);
      if (part && window.htmx) window.htmx.trigger(document.body, "refresh");
    }
  };
  document.addEventListener("toggle", () => setTimeout(release), true);
  document.addEventListener("focusout", () => setTimeout(release));

  /* One fold with buttons open at a time. */
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches(".quick-fold") || !event.target.open) return;
    for (const other of document.querySelectorAll(".quick-fold[open]")) if (other !== event.target) other.open = false;
  }, true);

  /* On a phone the tab of this page may lie outside the row. */
  const tab = document.querySelector(".event-bar .tabs [aria-current]");
  if (tab) tab.scrollIntoView({ block: "nearest", inline: "center" });

  const zone = document.querySelector("#new-event select[data-local-zone]");
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && zone.value === "UTC" && [...zone.options].some((option) => option.value === here)) zone.value = here;
})();
