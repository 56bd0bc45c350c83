/* In the service worker: shows a notice, and opens what it is about. One with the same tag replaces the one before, so
   that a notice which arrives twice is seen once. Whoever logs out takes their notices along. */
"use strict";

(() => {
  self.addEventListener("push", (event) => {
    let notice = {};
    try {
      notice = event.data ? event.data.json() : {};
    } catch { /* another's message: say that there is something */ }
    const { title = "Tiltyard", body = "There is something new.", path = "/", tag } = notice;
    event.waitUntil(self.registration.showNotification(title, { body, tag, data: { path } }));
  });

  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const address = new URL((event.notification.data || {}).path || "/", self.location.origin);
    if (address.origin !== self.location.origin) return;
    const open = async () => {
      const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const there = pages.find((page) => new URL(page.url).pathname === address.pathname);
      return there ? there.focus() : self.clients.openWindow(address.href);
    };
    event.waitUntil(open());
  });

  self.addEventListener("fetch", (event) => {
    const { logout } = self.tiltyard || {};
    if (event.request.method !== "POST" || new URL(event.request.url).pathname !== logout) return;
    const end = async () => {
      const subscription = await self.registration.pushManager.getSubscription();
      if (subscription) await subscription.unsubscribe();
    };
    event.waitUntil(end().catch(() => {}));
  });
})();
