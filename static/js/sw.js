/* The service worker. Fresh pages win; without a network a page that said it may be kept is shown as it was, with its
   clock set right. What is kept belongs to one person and goes when they log out or another logs in.
   ``self.tiltyard`` and the store come before this file in the script that the server joins. */
"use strict";

(() => {
  const { version, shell, static: files, offline, logout } = self.tiltyard;
  const store = self.tiltyardStore;
  const SHELL = `shell-${version}`;
  const KEPT = "kept";
  const PATIENCE = 4000;
  const MOST_PAGES = 24;
  const LARGEST = 2_000_000;
  const OLDEST = 7 * 24 * 3600 * 1000;
  const COMPANION_AGE = 600_000;
  const PART = /<!--part-->[^]*<!--\/part-->/;
  const MATCH = /<!--match-->[^]*<!--\/match-->/;
  const SAID = /<!--said-->[^]*?<!--\/said-->/;
  const STATE = /(<span class="event-state" id="event-state")[^>]*(>[^<]*<\/span>)/;
  const AWAY = [502, 503, 504];
  const LASTING = ["Content-Type", "Content-Security-Policy", "Referrer-Policy", "X-Frame-Options", "X-Content-Type-Options"];

  self.addEventListener("install", (event) => {
    const fill = async () => {
      const cache = await caches.open(SHELL);
      await cache.addAll(shell.map((address) => new Request(address, { cache: "no-cache" })));
      await cache.add(new Request(offline, { credentials: "omit", cache: "no-cache" }));
      await self.skipWaiting();
    };
    event.waitUntil(fill());
  });
  self.addEventListener("activate", (event) => {
    const take = async () => {
      for (const name of await caches.keys()) if (name !== SHELL && name !== KEPT) await caches.delete(name);
      await trim();
      await self.clients.claim();
    };
    event.waitUntil(take());
  });

  /* -- pages that are kept -- */
  const keptAt = (answer) => Number(answer.headers.get("Tiltyard-Kept-At"));

  /* Every clock of a page as the server would say it ``passed`` milliseconds later. */
  const aged = (html, passed) => html.replace(/data-server-now="([^"]+)"/g, (whole, said) => {
    const then = Date.parse(said);
    return Number.isNaN(then) ? whole : `data-server-now="${new Date(then + Math.max(0, passed)).toISOString()}"`;
  });
  const write = async (path, html, headers) => {
    const cache = await caches.open(KEPT);
    await cache.delete(path);
    if (html.length > LARGEST) return;
    await cache.put(path, new Response(html, { headers: { ...headers, "Tiltyard-Kept-At": String(Date.now()) } }));
    await trim();
  };
  const trim = async () => {
    const cache = await caches.open(KEPT);
    const pages = await cache.keys();
    for (const [index, request] of pages.entries()) {
      const old = keptAt(await cache.match(request)) < Date.now() - OLDEST;
      if (old || index < pages.length - MOST_PAGES) await cache.delete(request);
    }
  };
  const headersOf = (answer) => {
    const found = {};
    for (const name of LASTING) if (answer.headers.has(name)) found[name] = answer.headers.get(name);
    return found;
  };
  const forget = async () => {
    await caches.delete(KEPT);
    await store.clear();
  };
  /* Says whose device this is now. A page for nobody changes nothing: a session that ran out is not a farewell. */
  const meet = async (answer) => {
    const person = answer.headers.get("Tiltyard-Person");
    if (!person) return;
    const before = await store.fact("person");
    if (before === person) return;
    if (before) await forget();
    await store.setFact("person", person);
  };
  const keep = async (path, answer) => {
    if (answer.type === "opaqueredirect" || answer.redirected) return;
    await meet(answer);
    if (answer.headers.get("Tiltyard-Keep")) await write(path, (await answer.text()).replace(SAID, ""), headersOf(answer));
    else if (answer.status < 500 && answer.status !== 429) await (await caches.open(KEPT)).delete(path);
  };
  const keepCompanions = async (answer) => {
    const cache = await caches.open(KEPT);
    for (const path of (answer.headers.get("Tiltyard-Keep-With") || "").split(" ").filter(Boolean)) {
      const found = await cache.match(path);
      if (found && keptAt(found) > Date.now() - COMPANION_AGE) continue;
      await keep(path, await fetch(path, { credentials: "same-origin", headers: { Accept: "text/html" } }));
    }
  };
  /* A page renews a part by itself: the kept copy is renewed by the same answer. */
  const keepPart = async (path, answer, mark) => {
    const found = await (await caches.open(KEPT)).match(path);
    if (!found || !answer.ok || answer.status === 204) return;
    if (!answer.headers.get("Tiltyard-Keep")) { await keep(path, answer); return; }
    const [page, fresh] = [aged(await found.text(), Date.now() - keptAt(found)), await answer.text()];
    const [part, state] = [fresh.match(mark), fresh.match(STATE)];
    if (!part || !mark.test(page)) return;
    const renewed = state ? page.replace(STATE, () => `${state[1]}${state[2]}`) : page;
    await write(path, renewed.replace(mark, () => part[0]), headersOf(found));
  };
  const kept = async (path) => {
    const found = await caches.match(path, { cacheName: KEPT }).catch(() => null); /* a disk that fails keeps nothing */
    if (!found) return null;
    const at = keptAt(found);
    const html = aged(await found.text(), Date.now() - at);
    const marked = html.replace("<html ", `<html data-kept-at="${new Date(at).toISOString()}" `);
    return new Response(marked, { headers: headersOf(found) });
  };
  const sayOffline = async (farewell) => {
    const page = await caches.match(offline, { cacheName: SHELL });
    if (!page) return Response.error();
    const html = await page.text();
    return new Response(farewell ? html.replace("data-farewell hidden", "data-farewell") : html, { status: 503, headers: headersOf(page) });
  };

  /* -- what is asked for -- */
  const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds, null));

  const tellNewer = async (id) => {
    const client = await self.clients.get(id);
    if (client) client.postMessage("newer");
  };

  const visit = async (event, path) => {
    const network = fetch(event.request).then((answer) => {
      const [one, other] = [answer.clone(), answer.clone()];
      event.waitUntil(keep(path, one).then(() => keepCompanions(other)).catch(() => {}));
      return answer;
    }).catch(() => null);
    event.waitUntil(network);
    let answer = await Promise.race([network, later(PATIENCE)]);
    if (answer === null) {
      answer = await kept(path);
      if (answer) event.waitUntil(network.then((fresh) => fresh && tellNewer(event.resultingClientId)));
      else answer = await network;
    }
    if (answer === null) return sayOffline();
    return AWAY.includes(answer.status) ? (await kept(path)) || answer : answer;
  };
  /* A form on its way: whether it went is for the page to say, but after a farewell nothing stays here. */
  const send = async (event, path) => {
    if (path === logout) await forget().catch(() => {}); /* the server has to hear it all the same */
    return fetch(event.request).catch(() => sayOffline(path === logout));
  };
  const part = async (event, path, mark) => {
    const answer = await fetch(event.request);
    event.waitUntil(keepPart(path, answer.clone(), mark).catch(() => {}));
    return answer;
  };
  /* A file with a hash in its name never changes; another is asked for first. A kept page may name a file of an earlier
     version: the one of today serves it. */
  const asset = async (request, path) => {
    const plain = (address) => new URL(address, self.location).pathname.replace(/\.[0-9a-f]{12}\./, ".");
    const own = await caches.match(path, { cacheName: SHELL });
    if (own && plain(path) !== path) return own;
    try {
      const answer = await fetch(request);
      if (answer.ok || own === undefined) return answer;
    } catch (trouble) {
      const namesake = own || (await caches.match(shell.find((address) => plain(address) === plain(path)) || "", { cacheName: SHELL }));
      if (!namesake) throw trouble;
      return namesake;
    }
    return own;
  };

  /* From a page that was here before the worker: it is kept too. */
  self.addEventListener("message", (event) => {
    if (event.data !== "keep") return;
    const keepIt = async () => {
      const path = new URL(event.source.url).pathname;
      const answer = await fetch(path, { credentials: "same-origin", headers: { Accept: "text/html" } });
      const companions = answer.clone();
      await keep(path, answer);
      await keepCompanions(companions);
      event.source.postMessage("kept");
    };
    event.waitUntil(keepIt().catch(() => {}));
  });
  self.addEventListener("sync", (event) => {
    if (event.tag !== "queue") return;
    event.waitUntil(self.tiltyardQueue.flush().then(({ state }) => { if (state === "later") throw new Error("still away"); }));
  });
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== self.location.origin) return;
    if (request.mode === "navigate") event.respondWith(request.method === "GET" ? visit(event, pathname) : send(event, pathname));
    else if (request.method !== "GET") return;
    else if (pathname.startsWith(files)) event.respondWith(asset(request, pathname));
    else if (/^\/e\/[^/]+\/(me\/|pairings\/|desk\/round\/\d+\/)$/.test(pathname) && request.headers.get("HX-Request")) {
      event.respondWith(part(event, pathname, PART));
    } else if (/^\/e\/[^/]+\/me\/match$/.test(pathname)) event.respondWith(part(event, pathname.replace(/match$/, ""), MATCH));
  });
})();
