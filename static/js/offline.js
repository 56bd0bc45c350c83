/* Asks for the service worker, and lists what this device has kept on the page that says there is no network. Every
   page works without this file. */
"use strict";

(() => {
  if (!("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => { navigator.serviceWorker.register("/sw.js").catch(() => {}); });

  const list = document.querySelector("[data-kept-pages]");
  const show = async () => {
    const cache = await caches.open("kept");
    for (const request of await cache.keys()) {
      const page = await cache.match(request);
      const title = new DOMParser().parseFromString(await page.text(), "text/html").title.replace(/ · Tiltyard$/, "");
      const at = new Date(Number(page.headers.get("Tiltyard-Kept-At")));
      const row = document.createElement("li");
      const link = Object.assign(document.createElement("a"), { href: new URL(request.url).pathname, textContent: title });
      const words = ` as of ${at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
      row.append(link, Object.assign(document.createElement("span"), { className: "muted", textContent: words }));
      list.querySelector("ul").append(row);
      list.hidden = false;
    }
  };
  if (list) show().catch(() => {});
})();
