/* A − and a + beside each number of a form with data-steps. Without this file the numbers are typed. */
"use strict";

(() => {
  const step = (input, by) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: by < 0 ? "−" : "+" });
    button.className = "button button-quiet button-small";
    button.setAttribute("aria-label", `${by < 0 ? "One fewer" : "One more"}: ${input.labels[0].textContent}`);
    button.addEventListener("click", () => {
      const before = input.value;
      if (by < 0) input.stepDown(); else input.stepUp();
      if (input.value !== before) input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return button;
  };

  document.querySelectorAll("form[data-steps] input[type=number]").forEach((input) => {
    input.before(step(input, -1));
    input.after(step(input, 1));
    input.parentElement.classList.add("has-steps");
  });
})();
