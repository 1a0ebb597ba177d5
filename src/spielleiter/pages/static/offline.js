// Keeps an exported folder in the browser at the first visit; from then on its pages need no network.
// The export writes VERSION and FILES in front of this.
const worker = /** @type {any} */ (self);
const FOLDER = `spielleiter ${worker.registration.scope} `; // Other folders of the same web space keep what is theirs.
const CACHE = FOLDER + worker.VERSION;

worker.addEventListener("install", (event) => {
  // The pages of the language that is read; names in assets change with their contents.
  const other = worker.location.search === "?de" ? "en/" : "de/";
  const wanted = worker.FILES.filter((name) => !name.startsWith(other)).map(
    (name) => new Request(name, { cache: name.startsWith("assets/") ? "default" : "no-cache" }),
  );
  const fill = async () => (await caches.open(CACHE)).addAll(wanted);
  event.waitUntil(fill().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(FOLDER) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(worker.registration.scope)) return;
  const address = new URL(event.request.url);
  address.search = address.hash = ""; // A query tells a page what to show.
  if (address.pathname.endsWith("/")) address.pathname += "index.html";
  const answer = async () =>
    (await (await caches.open(CACHE)).match(address.href)) ?? (await fetch(event.request));
  event.respondWith(answer());
});
