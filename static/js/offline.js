/* A page and the network that it may not have: asks for the service worker, puts forms with data-queue where they wait
   until they are sent, shows what waits and what was refused, and lists the pages that are kept. Every page works
   without this file.
   <form data-queue="Table 12:"> says in front of the pressed button, or of the field named by data-queue-field, what
   will be sent; data-queue-corrects lets a refused one be sent as a correction with a reason. */
"use strict";

(() => {
  const queue = self.tiltyardQueue;
  const store = self.tiltyardStore;
  const AGAIN = 10_000;
  let worker = null;
  let person = null;

  if ("serviceWorker" in navigator) {
    window.addEventListener("load", () => { navigator.serviceWorker.register("/sw.js").catch(() => {}); });
    navigator.serviceWorker.ready.then((found) => { worker = found; });
    if (!navigator.serviceWorker.controller) {
      navigator.serviceWorker.addEventListener("controllerchange", () => navigator.serviceWorker.controller.postMessage("keep"), { once: true });
    }
  }
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const clockTime = (at) => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

  /* -- the pages that are kept, where there is no network -- */
  const list = document.querySelector("[data-kept-pages]");
  const listKept = async () => {
    const cache = await caches.open("kept");
    for (const request of await cache.keys()) {
      const page = await cache.match(request);
      const title = new DOMParser().parseFromString(await page.text(), "text/html").title.replace(/ · Tiltyard$/, "");
      const link = element("a", { href: new URL(request.url).pathname, textContent: title });
      const words = ` as of ${clockTime(Number(page.headers.get("Tiltyard-Kept-At")))}`;
      list.querySelector("ul").append(element("li", {}, link, element("span", { className: "muted", textContent: words })));
      list.hidden = false;
    }
  };
  if (list && self.caches) listKept().catch(() => {});

  /* -- what waits -- */
  const place = document.getElementById("waiting");
  if (!place || !self.indexedDB) return;

  const button = (words, quiet, onPress) => {
    const made = element("button", { type: "button", className: `button button-small${quiet ? " button-quiet" : ""}`, textContent: words });
    made.addEventListener("click", onPress);
    return made;
  };
  const waitingRow = (item) => {
    const words = item.tried ? "may have arrived; is sent again to make sure, and counts once" : `written at ${clockTime(item.at)}, waiting to be sent`;
    const row = element("li", { className: "notice notice-wait cluster cluster-between" });
    row.append(element("span", {}, element("strong", { textContent: item.label }), ` ${words}`));
    if (!item.tried) row.append(button("Undo", true, () => queue.drop(item.id)));
    return row;
  };
  const refusedRow = (item) => {
    const { detail, code, context } = item.answer;
    const now = context && context.now;
    const row = element("li", { className: "notice notice-bad stack stack-tight" });
    row.append(element("p", { className: "strong", textContent: `Not taken: ${item.label}` }), element("p", { textContent: detail }));
    if (now) {
      const facts = element("dl", { className: "facts" });
      facts.append(element("dt", { textContent: "You" }), element("dd", { textContent: `${item.label}, written at ${clockTime(item.at)}` }));
      facts.append(element("dt", { textContent: "The event" }), element("dd", { textContent: now.words }));
      row.append(facts);
    }
    const press = element("div", { className: "cluster" });
    if (item.corrects && now && now.can_correct) {
      const why = element("input", { type: "text", maxLength: 300, required: now.needs_reason, id: `why-${item.id}`, autocomplete: "off" });
      row.append(element("div", { className: "field" }, element("label", { htmlFor: why.id, textContent: "Why" }), why));
      press.append(button("Send as correction", false, () => {
        if (!why.reportValidity()) return;
        queue.replace(queue.anew(item, { match_version: now.version, reason: why.value })).then(send);
      }));
    } else if (!item.corrects && (!now || now.can_correct)) {
      press.append(button("Send again", false, () => queue.replace(queue.anew(item, {})).then(send)));
    }
    press.append(button("Discard", true, () => queue.drop(item.id)));
    row.append(press);
    row.dataset.code = code || "";
    return row;
  };
  const warnBeforeFarewell = (count) => {
    for (const press of document.querySelectorAll('form[action$="/logout/"] button')) {
      if (!count) { delete press.dataset.confirm; continue; }
      press.dataset.confirmTitle = "Log out and throw away what waits?";
      press.dataset.confirm = `${count === 1 ? "One entry was" : `${count} entries were`} not sent yet. Logging out throws that away.`;
    }
  };
  const show = async () => {
    const [items, loggedOut] = [await store.all(), await store.fact("login")];
    if (place.contains(document.activeElement) && document.activeElement.matches("input")) return;
    warnBeforeFarewell(items.length);
    place.hidden = items.length === 0;
    const parts = [element("h2", { textContent: items.some((item) => item.state === "waiting") ? "Waiting to be sent" : "Not taken" })];
    if (loggedOut) {
      const link = element("a", { href: `/account/login/?next=${encodeURIComponent(location.pathname)}`, textContent: "Log in" });
      parts.push(element("p", {}, link, " again to send it. If somebody else logs in here, it is thrown away."));
    }
    parts.push(element("ul", { className: "stack stack-tight" }, ...items.map((item) => (item.state === "refused" ? refusedRow : waitingRow)(item))));
    place.replaceChildren(...(items.length ? parts : []));
  };

  const toast = (tag, text) => {
    const toasts = document.getElementById("toasts");
    const made = element("div", { className: `toast toast-${tag}` }, element("span", { textContent: text }));
    made.dataset.toast = "";
    if (toasts) toasts.append(made);
    document.dispatchEvent(new Event("htmx:afterSettle"));
  };
  const written = new Set();
  const sayAll = (said) => { for (const { tag, text } of said) toast(tag, text); };
  queue.hear((what) => {
    show().catch(() => {});
    if (what.sent === undefined) return;
    const next = what.to && new URL(what.to, location.href);
    if (written.has(what.sent) && next && next.pathname !== location.pathname) {
      sessionStorage.setItem("said", JSON.stringify(what.said)); /* where the form leads */
      location.assign(next.href);
      return;
    }
    sayAll(what.said);
    document.dispatchEvent(new Event("tiltyard:changed"));
  });

  let timer = null;
  const send = async () => {
    clearTimeout(timer);
    const { left } = await queue.flush();
    if (!left) return;
    if (worker && worker.sync) worker.sync.register("queue").catch(() => {});
    timer = setTimeout(send, AGAIN);
  };

  const labelOf = (form, submitter) => {
    const names = (form.dataset.queueField || "").split(" ").filter(Boolean);
    const typed = names.map((name) => form.elements.namedItem(name).value.trim()).join("-");
    const entry = typed.match(/^(\d+)\s+(\d)(\d)$/);
    if (entry) return `${form.dataset.queue} ${entry[1]}: ${entry[2]}-${entry[3]}`;
    return [form.dataset.queue, typed || (submitter ? submitter.textContent.trim() : "")].filter(Boolean).join(" ");
  };
  /* A typed line says which match its page showed at the table. */
  const seenAtTable = (data) => {
    const row = document.getElementById(`table-${parseInt(data.get("entry"), 10)}`);
    return row ? [["match", row.dataset.match], ["match_version", row.dataset.version]] : [];
  };
  /* A slip of the finger, answered at once: beside the box, with the line still in it. */
  const beside = async (form, id) => {
    const item = (await store.all()).find((one) => one.id === id);
    const box = form.querySelector(".entry-box");
    if (!box || !item || item.state !== "refused" || item.answer.status !== 400 || item.answer.context.now) return;
    await queue.drop(id);
    const errors = element("ul", { className: "errors", id: "entry-errors" }, element("li", { textContent: item.answer.detail }));
    errors.setAttribute("role", "alert");
    box.after(errors);
    box.setAttribute("aria-invalid", "true");
    if (!box.value) box.value = item.fields.find(([name]) => name === "entry")[1];
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("form[data-queue]") || !person) return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const key = data.get("idempotency_key");
    for (const name of ["idempotency_key", "csrfmiddlewaretoken"]) data.delete(name);
    const fields = [...data.entries(), ...("queueTable" in form.dataset ? seenAtTable(data) : [])];
    const item = { key, action: new URL(form.action).pathname, fields, label: labelOf(form, event.submitter), corrects: "queueCorrects" in form.dataset };
    form.reset();
    form.elements.namedItem("idempotency_key").value = queue.newKey();
    for (const errors of form.querySelectorAll(".errors")) errors.remove();
    for (const box of form.querySelectorAll("[aria-invalid]")) box.removeAttribute("aria-invalid");
    delete form.dataset.sent;
    queue.add(item).then(async (id) => {
      written.add(id);
      await send();
      await beside(form, id);
    });
  });

  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.addEventListener("message", (event) => {
      const renewsItself = document.querySelector('[hx-trigger*="refresh"]') !== null;
      if (event.data === "kept") begin().catch(() => {});
      else if (event.data === "newer" && !renewsItself) toast("info", "The network was slow, so this page is as it was kept. Reload it to see it as it is.");
    });
  }
  const begin = async () => {
    sayAll(JSON.parse(sessionStorage.getItem("said") || "[]"));
    sessionStorage.removeItem("said");
    person = (await store.fact("person")) || null;
    await show();
    if (!place.hidden) await send();
  };
  begin().catch(() => {});
  window.addEventListener("online", () => { send(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) begin().catch(() => {}); });
})();
