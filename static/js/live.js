/* Keeps an event's page fresh. The feed says only "version N"; the page then fetches its own fragments, so that nobody
   sees more by the feed than by asking. While the feed is away the page asks for the version itself. Where nothing but
   the reader's own match has changed, a page that shows it asks for that part alone (#my-match). A part that is long
   says for how many milliseconds it rests before it is asked for again (data-rest).
   In a large hall the feed says within how many milliseconds to do so: then not everybody asks in the same moment. News
   for the person in front of the page are told before that.
   <body data-live-event data-live-version data-live-ticket-url data-live-version-url data-live-own> */
"use strict";

(() => {
  const { liveEvent, liveTicketUrl, liveVersionUrl, liveOwn } = document.body.dataset;
  if (!liveEvent || !liveVersionUrl) return;

  const WORDS = { live: "live", polling: "updating every few seconds" };
  const POLL = 2000;
  const SLOWEST_POLL = 15000;
  const AGAIN = 5000; /* a page that was made before the change: ask for it once more */
  let pace = POLL;
  let refreshTimer = null;
  let version = Number(document.body.dataset.liveVersion) || 0;
  let ownVersion = version; /* of the reader's match, which may be ahead of the rest */
  let etag = null;
  let feed = null;
  let pollTimer = null;
  let retryTimer = null;
  /* When the page was last known to be what the server would say. The service worker marks a page that it had kept. */
  let asOf = new Date(document.documentElement.dataset.keptAt || Date.now());

  const words = (state) => {
    const time = asOf.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    return state === "offline" ? `offline, as of ${time}` : WORDS[state];
  };
  const say = (state) => {
    for (const place of document.querySelectorAll("[data-live-state]")) {
      const text = words(state);
      place.dataset.state = state;
      if (place.textContent !== text) place.textContent = text;
    }
  };
  /* A part that is on its way may be older than what was just heard, and htmx forgets a request that waits on a part
     which is swapped out: it is asked for once more afterwards. */
  let onTheirWay = 0;
  let again = null;
  let asked = -Infinity;
  let deafUntil = 0; /* a part that has just come does not listen yet */
  const want = (what) => {
    if (onTheirWay > 0) again = again === "refresh" ? again : what;
    else if (performance.now() < deafUntil) setTimeout(want, 100, what);
    else if (window.htmx) window.htmx.trigger(document.body, what);
  };
  const restLeft = () => {
    const part = document.querySelector("[data-rest]");
    return part ? asked + Number(part.dataset.rest) - performance.now() : 0;
  };
  const refresh = () => {
    clearTimeout(refreshTimer);
    refreshTimer = null;
    const rest = restLeft();
    if (rest > 0) {
      refreshTimer = setTimeout(refresh, rest);
      return;
    }
    if (onTheirWay === 0) asked = performance.now();
    want("refresh");
  };
  const refreshOwn = () => {
    if (document.querySelector("#my-match[hx-get]")) want("refresh-own");
    else refresh();
  };
  const refreshWithin = (time) => {
    if (!time) refresh();
    else if (!refreshTimer) refreshTimer = setTimeout(refresh, time * Math.random());
  };
  const isRefresh = (event) => {
    const { requestConfig } = event.detail;
    return requestConfig && requestConfig.triggeringEvent && /^refresh/.test(requestConfig.triggeringEvent.type);
  };
  document.addEventListener("htmx:beforeSend", (event) => { if (isRefresh(event)) onTheirWay += 1; });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!isRefresh(event)) return;
    onTheirWay -= 1;
    deafUntil = performance.now() + 100;
    if (!again || onTheirWay > 0) return;
    setTimeout(again === "refresh" ? refresh : refreshOwn, 100);
    again = null;
  });
  document.addEventListener("tiltyard:changed", refreshOwn);
  const heard = (number, within) => {
    if (!(number > version)) return false;
    version = number;
    document.body.dataset.liveVersion = String(number);
    refreshWithin(within);
    return true;
  };
  const heardOwn = (number) => {
    if (!(number > Math.max(version, ownVersion))) return;
    ownVersion = number;
    refreshOwn();
  };
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    const shown = Number(target.dataset && target.dataset.version);
    const isOwn = target.id === "my-match";
    const time = AGAIN * (0.75 + Math.random() / 2);
    if (!shown || shown >= (isOwn ? ownVersion : Math.max(version, ownVersion))) return;
    if (isOwn) setTimeout(refreshOwn, time);
    else if (!refreshTimer) refreshTimer = setTimeout(refresh, time);
  });
  const announce = (news) => {
    const toasts = document.getElementById("toasts");
    if (!toasts) return;
    const toast = document.createElement("div");
    toast.className = "toast toast-info";
    toast.dataset.toast = "";
    toast.append(Object.assign(document.createElement("span"), { textContent: news }));
    toasts.append(toast);
    document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
  };

  const ask = async () => {
    const headers = { Accept: "application/json" };
    if (etag) headers["If-None-Match"] = etag;
    const answer = await fetch(liveVersionUrl, { headers, cache: "no-store", credentials: "same-origin" });
    if (answer.status !== 304) {
      if (!answer.ok) throw new Error(`version: ${answer.status}`);
      etag = answer.headers.get("ETag");
      const moved = heard((await answer.json()).version);
      pace = moved ? Math.min(pace * 1.5, SLOWEST_POLL) : POLL;
    } else pace = POLL;
    asOf = new Date();
  };
  const poll = async () => {
    clearTimeout(pollTimer);
    pollTimer = null;
    if (feed && feed.readyState === EventSource.OPEN) return;
    if (!document.hidden) {
      try {
        await ask();
        if (!feed || feed.readyState !== EventSource.OPEN) say("polling");
      } catch {
        say("offline");
      }
    }
    if (!feed || feed.readyState !== EventSource.OPEN) {
      clearTimeout(pollTimer);
      pollTimer = setTimeout(poll, pace * (0.75 + Math.random() / 2));
    }
  };

  const later = () => {
    if (feed) feed.close();
    feed = null;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(connect, 2000 + Math.random() * 8000);
    if (!pollTimer) poll();
  };
  const connect = async () => {
    clearTimeout(retryTimer);
    if (!window.EventSource || !liveTicketUrl) { poll(); return; }
    try {
      const answer = await fetch(liveTicketUrl, { headers: { Accept: "application/json" }, cache: "no-store", credentials: "same-origin" });
      if (!answer.ok) throw new Error(`ticket: ${answer.status}`);
      const { url } = await answer.json();
      if (!url) throw new Error("no feed");
      if (feed) feed.close();
      const source = new EventSource(liveOwn === undefined ? url : `${url}&own=1`);
      feed = source;
      source.addEventListener("open", () => {
        clearTimeout(pollTimer);
        pollTimer = null;
        say("live");
        ask().catch(() => {}); /* what happened between the page and the feed */
      });
      source.addEventListener("message", (message) => {
        const said = JSON.parse(message.data);
        if (said.event === undefined) ask().catch(() => {}); /* the feed may have missed something */
        else if (said.event === liveEvent) {
          if (said.news) announce(said.news);
          if (said.own) heardOwn(said.version);
          else heard(said.version, said.within);
        }
      });
      source.addEventListener("error", () => { if (feed === source) later(); });
    } catch {
      later();
    }
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    ask().catch(() => say("offline"));
    if (!feed) connect();
  });
  window.addEventListener("online", () => { if (!feed) connect(); });
  window.addEventListener("offline", () => {
    if (feed && feed.readyState === EventSource.OPEN) asOf = new Date();
    say("offline");
  });
  window.addEventListener("pagehide", () => { if (feed) feed.close(); feed = null; });
  window.addEventListener("pageshow", (event) => { if (event.persisted) { refresh(); connect(); } });
  connect();
})();
