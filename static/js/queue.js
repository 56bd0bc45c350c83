/* What this device remembers of one person: whose pages it keeps, and what waits to be sent. Shared by the pages and the
   service worker. */
"use strict";

self.tiltyardStore = (() => {
  let opened = null;
  const open = () => {
    opened ||= new Promise((resolve, reject) => {
      const request = indexedDB.open("tiltyard", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("facts");
        request.result.createObjectStore("queue", { keyPath: "id", autoIncrement: true });
      };
      request.onsuccess = () => {
        request.result.onversionchange = () => { request.result.close(); opened = null; };
        request.result.onclose = () => { opened = null; };
        resolve(request.result);
      };
      request.onerror = () => { opened = null; reject(request.error); };
    });
    return opened;
  };
  /* Runs ``work`` on one store and answers with the result of the request that it returns, once that is on the disk. */
  const run = async (store, mode, work) => {
    const database = await open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode);
      const request = work(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request && request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };

  return {
    fact: (name) => run("facts", "readonly", (store) => store.get(name)),
    setFact: (name, value) => run("facts", "readwrite", (store) => store.put(value, name)),
    all: () => run("queue", "readonly", (store) => store.getAll()),
    put: (item) => run("queue", "readwrite", (store) => store.put(item)),
    drop: (id) => run("queue", "readwrite", (store) => store.delete(id)),
    clear: async () => {
      await run("queue", "readwrite", (store) => store.clear());
      await run("facts", "readwrite", (store) => store.clear());
    },
  };
})();

/* What waits to be sent: forms as they were filled in, each with the key that makes it count once and with what its page
   showed. They go in order, by whichever page or worker comes first; the server's answer ends each of them. */
self.tiltyardQueue = (() => {
  const store = self.tiltyardStore;
  const SENDER = "/offline/sender";
  const news = "BroadcastChannel" in self ? new BroadcastChannel("tiltyard") : null;
  const listeners = new Set();

  const tell = (what) => {
    for (const listener of listeners) listener(what);
    if (news) news.postMessage(what);
  };
  if (news) news.addEventListener("message", (event) => { for (const listener of listeners) listener(event.data); });

  const ask = (address, options) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 15000);
    return fetch(address, { credentials: "same-origin", redirect: "manual", ...options, signal: stop.signal }).finally(() => clearTimeout(timer));
  };
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const post = async (item, csrf) => {
    const body = new URLSearchParams([...item.fields, ["idempotency_key", item.key]]);
    const answer = await ask(item.action, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": csrf } });
    const isJson = /json/.test(answer.headers.get("Content-Type") || "");
    if (!isJson || answer.status >= 500 || answer.status === 429) return { state: "later" };
    return { state: answer.ok ? "sent" : answer.status === 401 ? "login" : "refused", status: answer.status, said: await answer.json() };
  };
  /* The same entry once more, on top of what the server says now. It is another command, so it has another key. */
  const anew = (item, changes) => {
    const fields = item.fields.filter(([name]) => !(name in changes));
    for (const [name, value] of Object.entries(changes)) if (value !== null) fields.push([name, String(value)]);
    return { ...item, fields, key: newKey(), state: "waiting", answer: null, tried: false };
  };
  /* Refused, though nobody has to choose: the same result counts already, or nothing was decided but the page was old. */
  const settled = (item, answer) => {
    const now = answer.context && answer.context.now;
    if (now && now.same) return "drop";
    return now && now.undecided && answer.code === "event.stale" && !item.again ? { ...anew(item, { match_version: now.version }), again: true } : null;
  };

  const sendAll = async () => {
    const items = (await store.all()).filter((item) => item.state === "waiting");
    if (!items.length) return { state: "sent", left: 0 };
    const who = await ask(SENDER, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (!who.ok) return { state: "later", left: items.length };
    const { person, csrf } = await who.json();
    await store.setFact("login", person === null);
    if (person === null) return { state: "login", left: items.length };
    if (person !== (await store.fact("person"))) {
      await store.clear();
      return { state: "sent", left: 0 };
    }
    for (let index = 0; index < items.length; index += 1) {
      let item = items[index];
      if (!(await store.all()).some((other) => other.id === item.id)) continue;
      await store.put({ ...item, tried: true });
      const { state, status, said } = await post(item, csrf);
      if (state === "later" || state === "login") return { state, left: items.length - index };
      const next = state === "refused" ? settled(item, said) : "drop";
      if (next === "drop") {
        await store.drop(item.id);
        tell({ sent: item.id, label: item.label, said: state === "sent" ? said.said : [], to: said.to });
      } else if (next) {
        item = next;
        await store.put(item);
        items[index] = item;
        index -= 1;
      } else {
        await store.put({ ...item, state: "refused", answer: { status, ...said } });
        tell({ refused: item.id });
      }
    }
    return { state: "sent", left: 0 };
  };
  /* One at a time on this device. Answers {state: sent, later or login; left: how many still wait}. */
  const flush = async () => {
    try {
      return navigator.locks ? await navigator.locks.request("tiltyard-queue", sendAll) : await sendAll();
    } catch {
      return { state: "later", left: (await store.all()).length };
    } finally {
      tell({ looked: true });
    }
  };

  return {
    flush,
    newKey,
    anew,
    hear: (listener) => listeners.add(listener),
    /* A newer word on the same thing takes the place of one that has not left yet. */
    add: async (item) => {
      const about = (one) => `${one.action} ${one.fields.filter(([name]) => ["match", "number"].includes(name))}`;
      for (const other of await store.all()) {
        if (other.state === "waiting" && !other.tried && about(other) === about(item)) await store.drop(other.id);
      }
      const id = await store.put({ ...item, state: "waiting", at: Date.now(), answer: null, tried: false });
      tell({ added: id });
      return id;
    },
    replace: async (item) => { await store.put(item); tell({ added: item.id }); },
    drop: async (id) => { await store.drop(id); tell({ dropped: id }); },
  };
})();
