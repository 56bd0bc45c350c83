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
