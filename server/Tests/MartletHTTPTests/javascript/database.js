// The few operations of IndexedDB that the script uses; each is over when the script has had its turn.
const makeDatabase = (values) => {
  const stores = { values: new Map(values), events: new Map() };
  let last = 0;
  const later = (result) => {
    const request = { result };
    queueMicrotask(() => request.onsuccess?.({ target: request }));
    return request;
  };
  const store = (map) => ({
    get: (key) => later(map.get(key)),
    put: (value, key) => later(map.set(key, value)),
    add: (value) => later(map.set((last += 1), value)),
    delete: (key) => later(map.delete(key)),
    count: () => later(map.size),
    getAll: () => later([...map.values()]),
    getAllKeys: () => later([...map.keys()]),
  });
  const transaction = (name) => {
    const made = { objectStore: () => store(stores[name]) };
    setImmediate(() => made.oncomplete?.());
    return made;
  };
  return { open: () => later({ transaction, close() {} }) };
};

module.exports = { makeDatabase };
