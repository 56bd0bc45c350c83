/* The button that has this browser show notices, or no longer.
   <div data-push-key="<public key>" data-push-url="<subscriptions>" hidden> with a button and a place to say things. */
"use strict";

(() => {
  const place = document.querySelector("[data-push-key]");
  if (!place || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const button = place.querySelector("button");
  const said = place.querySelector("[data-push-said]");
  const { pushKey, pushUrl } = place.dataset;
  const WORDS = { on: "Stop notices in this browser", off: "Show notices in this browser" };
  const REFUSED = ["AbortError", "NotAllowedError"];
  const NO_SERVICE = "This browser could not reach the service that brings its notices, or does not allow it here.";

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const send = async (method, body) => {
    const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    const answer = await fetch(pushUrl, { method, headers, credentials: "same-origin", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error((await answer.json()).detail);
  };
  const worker = async () => {
    if (!(await navigator.serviceWorker.getRegistration("/"))) await navigator.serviceWorker.register("/sw.js");
    return navigator.serviceWorker.ready;
  };
  const subscribed = async () => (await worker()).pushManager.getSubscription();
  const show = (subscription) => { button.textContent = WORDS[subscription ? "on" : "off"]; };

  const start = async () => {
    if ((await Notification.requestPermission()) !== "granted") {
      said.textContent = "This browser does not allow it: change that in its settings for this site.";
      return;
    }
    const options = { userVisibleOnly: true, applicationServerKey: bytes(pushKey) };
    const { endpoint, keys } = (await (await worker()).pushManager.subscribe(options)).toJSON();
    await send("POST", { endpoint, p256dh: keys.p256dh, auth: keys.auth });
    said.textContent = "This browser shows your notices from now on.";
  };
  const stop = async (subscription) => {
    await send("DELETE", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
    said.textContent = "This browser shows no notices any more.";
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = "";
    try {
      const subscription = await subscribed();
      await (subscription ? stop(subscription) : start());
      show(await subscribed());
    } catch (trouble) {
      said.textContent = REFUSED.includes(trouble.name) ? NO_SERVICE : trouble.message || "That did not work. Try it again.";
    }
    button.disabled = false;
  });
  subscribed().then((subscription) => { show(subscription); place.hidden = false; }).catch(() => {});
})();
