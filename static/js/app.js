/* Small conveniences. Every page works without this file. */
"use strict";

(() => {
  const element = (tag, properties) => Object.assign(document.createElement(tag), properties);

  /* A button or form with data-confirm asks first, in a dialog that names what will happen. */
  const ask = (trigger, onYes) => {
    const dialog = element("dialog");
    const heading = element("h2", { textContent: trigger.dataset.confirmTitle || "Are you sure?", id: "confirm-title" });
    const text = element("p", { textContent: trigger.dataset.confirm, id: "confirm-text" });
    const row = element("div", { className: "cluster cluster-end" });
    const no = element("button", { type: "button", className: "button button-quiet", textContent: "Go back" });
    const word = trigger.dataset.confirmWord || trigger.textContent.trim() || "Do it";
    const danger = trigger.classList.contains("button-danger");
    const yes = element("button", { type: "button", className: danger ? "button button-danger" : "button", textContent: word });
    const body = element("div", { className: "stack" });
    dialog.classList.toggle("dialog-danger", danger);
    dialog.setAttribute("aria-labelledby", "confirm-title");
    dialog.setAttribute("aria-describedby", "confirm-text");
    row.append(no, yes);
    body.append(heading, text, row);
    dialog.append(body);
    document.body.append(dialog);
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => { dialog.close(); onYes(); });
    dialog.addEventListener("close", () => { dialog.remove(); trigger.focus(); });
    dialog.showModal();
    no.focus();
  };

  document.addEventListener("click", (event) => {
    const trigger = event.target.closest("[data-confirm]");
    if (!trigger || !window.HTMLDialogElement) return;
    if (trigger.dataset.confirmed) { delete trigger.dataset.confirmed; return; }
    if (trigger.form && !trigger.formNoValidate && !trigger.form.reportValidity()) { event.preventDefault(); return; }
    event.preventDefault();
    event.stopImmediatePropagation();
    ask(trigger, () => { trigger.dataset.confirmed = "1"; trigger.click(); });
  }, true);

  /* data-copy="text" copies it; data-copy="" copies the address of the page. */
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    event.preventDefault();
    const before = button.textContent;
    const text = button.dataset.copy ? new URL(button.dataset.copy, location.href).href : location.href;
    try {
      await navigator.clipboard.writeText(button.hasAttribute("data-copy-text") ? button.dataset.copy : text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy it from the address bar";
    }
    setTimeout(() => { button.textContent = before; }, 2500);
  });

  /* A form is sent once: a second press while the first is on its way does nothing. */
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("hx-post")) return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "1";
    setTimeout(() => { delete form.dataset.sent; }, 8000);
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });

  /* Toasts stay until they are read and dismissed; nothing vanishes by itself. */
  const dismissable = (root) => {
    for (const toast of root.querySelectorAll("[data-toast]:not([data-ready])")) {
      toast.dataset.ready = "1";
      const close = element("button", { type: "button", className: "link-button", textContent: "Dismiss" });
      close.addEventListener("click", () => toast.remove());
      toast.append(close);
    }
  };

  /* Things that only work with JavaScript are in the page as [hidden][data-needs-js]. */
  const reveal = (root) => {
    for (const part of root.querySelectorAll("[data-needs-js][hidden]")) part.hidden = false;
  };

  const enhance = (root) => { dismissable(root); reveal(root); };
  enhance(document);
  document.addEventListener("htmx:afterSettle", () => enhance(document));

  /* htmx could not reach the server: say so where people look. */
  const trouble = (sentence) => {
    const toasts = document.getElementById("toasts");
    if (!toasts || toasts.textContent.includes(sentence)) return;
    const toast = element("div", { className: "toast toast-error" });
    toast.dataset.toast = "";
    toast.append(element("span", { textContent: sentence }));
    toasts.append(toast);
    dismissable(toasts);
  };
  const byHand = (event) => {
    const verb = event.detail.requestConfig && event.detail.requestConfig.verb;
    return verb && verb !== "get";
  };
  document.addEventListener("htmx:sendError", (event) => {
    if (byHand(event)) trouble("No connection: nothing was sent. Try again in a moment.");
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status >= 500 && byHand(event)) trouble("The server could not do that. Nothing was changed; try again in a moment.");
  });
})();
