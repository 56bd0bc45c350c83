/* Around the box that a decklist is written in. Every page works without this file. */
"use strict";

(() => {
  const form = document.getElementById("deck-form");
  if (!form) return;
  const box = form.querySelector("textarea.decklist");
  const picker = form.querySelector("input[type=file]");

  /* A file is read as soon as it is chosen or dropped on the box: sent as the form sends it, to be shown as a list. */
  if (picker && box) {
    picker.addEventListener("change", (event) => {
      event.stopPropagation();
      if (picker.files.length) form.requestSubmit();
    });
    const hasFile = (event) => [...event.dataTransfer.types].includes("Files");
    for (const name of ["dragenter", "dragover"]) {
      box.addEventListener(name, (event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        box.classList.add("is-target");
      });
    }
    for (const name of ["dragleave", "drop"]) box.addEventListener(name, () => box.classList.remove("is-target"));
    box.addEventListener("drop", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      picker.files = event.dataTransfer.files;
      if (picker.files.length) form.requestSubmit();
    });
  }

  /* The number of a line leads to the line. */
  const lineOf = (target) => target.closest && target.closest("[data-line]");
  const goTo = (number) => {
    const lines = box.value.split("\n");
    const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
    box.focus();
    box.setSelectionRange(start, start + (lines[number - 1] || "").length);
    box.scrollTop = Math.max(0, (number - 4) * (box.scrollHeight / Math.max(1, lines.length)));
  };
  document.addEventListener("click", (event) => {
    const line = lineOf(event.target);
    if (line && box) goTo(Number(line.dataset.line));
  });

  /* Ctrl+S or Cmd+S saves, Ctrl+Enter checks. */
  form.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    const save = form.querySelector("button[name=save]");
    if (event.key === "s" && save) {
      event.preventDefault();
      form.requestSubmit(save);
    } else if (event.key === "Enter") {
      event.preventDefault();
      form.requestSubmit();
    }
  });
})();
