/* Two players of a draft trade places: click both, drag one onto the other, or arrows and Enter; Escape puts back.
   Each ends in the form with data-places, which says what it would cost. Without this file the form is filled in.
   <span data-place="17" data-name="Ada"> within an element with data-places="id of the form" */
"use strict";

(() => {
  const FAR = 6;
  const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
  let picked = null;
  let current = null;
  let drag = null;
  let justDragged = false;

  const places = () => [...document.querySelectorAll("[data-places] [data-place]")];
  const say = (words) => {
    const region = document.getElementById("places-said");
    if (region) region.textContent = words;
  };
  /* One place is reached by Tab, the others by arrows. */
  const show = () => {
    const all = places();
    if (!all.some((place) => place.dataset.place === picked)) picked = null;
    if (!all.some((place) => place.dataset.place === current)) current = all.length ? all[0].dataset.place : null;
    for (const place of all) {
      place.setAttribute("role", "button");
      place.setAttribute("aria-pressed", String(place.dataset.place === picked));
      place.tabIndex = place.dataset.place === current ? 0 : -1;
    }
  };
  const goTo = (place) => {
    current = place.dataset.place;
    show();
    place.focus();
  };
  const put = (words) => {
    picked = null;
    show();
    say(words);
  };
  const trade = (one, other) => {
    const form = document.getElementById(one.closest("[data-places]").dataset.places);
    form.elements.namedItem("one").value = one.dataset.place;
    form.elements.namedItem("other").value = other.dataset.place;
    say(`${one.dataset.name} and ${other.dataset.name}: what it would cost.`);
    picked = null;
    form.requestSubmit();
  };
  const choose = (place) => {
    const first = places().find((one) => one.dataset.place === picked);
    if (first === place) { put(`${place.dataset.name} stays.`); return; }
    if (first) { trade(first, place); return; }
    picked = place.dataset.place;
    goTo(place);
    say(`${place.dataset.name} is picked up. Go to whoever takes the place, with the arrows, and press Enter. Escape puts back.`);
  };

  document.addEventListener("keydown", (event) => {
    const place = event.target.closest("[data-places] [data-place]");
    if (event.key === "Escape" && picked) { put("Put back. Nothing was changed."); return; }
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = places();
    if (event.key === "Enter" || event.key === " ") choose(place);
    else if (event.key in STEPS) goTo(all[Math.min(all.length - 1, Math.max(0, all.indexOf(place) + STEPS[event.key]))]);
    else if (event.key === "Home") goTo(all[0]);
    else if (event.key === "End") goTo(all[all.length - 1]);
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-places] [data-place]");
    if (place && !justDragged) choose(place);
  });

  /* With a mouse or a pen; a finger scrolls, and chooses by two taps. */
  const under = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    const place = found && found.closest("[data-places] [data-place]");
    return place && place !== drag.place ? place : null;
  };
  const mark = (target) => {
    for (const place of places()) place.classList.toggle("is-target", place === target);
  };
  const drop = () => {
    if (drag) drag.place.classList.remove("is-dragged");
    drag = null;
    mark(null);
  };
  document.addEventListener("pointerdown", (event) => {
    const place = event.pointerType !== "touch" && event.button === 0 && event.target.closest("[data-places] [data-place]");
    if (place) drag = { place, x: event.clientX, y: event.clientY, far: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.far && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.far) say(`${drag.place.dataset.name} is dragged.`);
    drag.far = true;
    drag.place.classList.add("is-dragged");
    mark(under(event));
    event.preventDefault();
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { place, far } = drag;
    const target = far ? under(event) : null;
    drop();
    if (!far) return;
    justDragged = true; /* the click that ends it chooses nobody */
    setTimeout(() => { justDragged = false; });
    if (target) trade(place, target); else say(`${place.dataset.name} stays.`);
  });
  document.addEventListener("pointercancel", drop);

  /* The page renews the table by itself: who is picked up and where the keyboard stands outlive that. */
  let held = null;
  document.addEventListener("htmx:beforeSwap", () => {
    const place = document.activeElement.closest("[data-places] [data-place]");
    held = place && place.dataset.place;
  });
  document.addEventListener("htmx:afterSettle", () => {
    show();
    const place = held && document.activeElement === document.body && places().find((one) => one.dataset.place === held);
    if (place) goTo(place);
    held = null;
  });
  show();
})();
