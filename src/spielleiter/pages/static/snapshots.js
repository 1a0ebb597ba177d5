// Keeps what Python looks like once it has started and nothing has run in it: later starts begin there. Where a browser
// stores nothing, every start is like the first.
const STORE = "snapshots";

/** @param {IDBRequest} request */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransactionMode} mode */
async function store(mode) {
  const opening = indexedDB.open("spielleiter-python", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return (await done(opening)).transaction(STORE, mode).objectStore(STORE);
}

/** @param {string} files @param {string} session @returns {Promise<ArrayBuffer | null>} */
export async function storedSnapshot(files, session) {
  try {
    const packed = await done((await store("readonly")).get([files, session]));
    if (!packed) return null;
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).arrayBuffer();
  } catch {
    return null;
  }
}

// In the place of those that belong to other files.
/** @param {string} files @param {string} session @param {ArrayBuffer} snapshot */
export async function keepSnapshot(files, session, snapshot) {
  try {
    const stream = new Blob([snapshot]).stream().pipeThrough(new CompressionStream("gzip"));
    const packed = await new Response(stream).arrayBuffer();
    const snapshots = await store("readwrite");
    for (const key of await done(snapshots.getAllKeys())) if (key[0] !== files) snapshots.delete(key);
    await done(snapshots.put(packed, [files, session]));
  } catch {
    /* Then the next start is like the first. */
  }
}
