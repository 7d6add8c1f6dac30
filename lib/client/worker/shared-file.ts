/** A file that another app shared with the installed console, between the worker that receives it and the page that opens it. */
const DATABASE = "shared-file";
const STORE = "files";
const KEY = "newest";

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function inStore<T>(use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
  const database = await done(opening);
  try {
    return await done(use(database.transaction(STORE, "readwrite").objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** A file that nobody takes is forgotten after this time. */
const KEPT_MS = 15 * 60_000;

interface SharedFile {
  file: File;
  receivedAt: number;
}

/** Keeps a file until it is taken, instead of one that was not. */
export async function keepSharedFile(file: File): Promise<void> {
  await inStore((store) => store.put({ file, receivedAt: Date.now() } satisfies SharedFile, KEY));
}

/** Returns the file that was shared and removes it; null if there is none. */
export async function takeSharedFile(): Promise<File | null> {
  const shared: SharedFile | undefined = await inStore((store) => store.get(KEY));
  if (!shared) return null;
  await inStore((store) => store.delete(KEY));
  return Date.now() - shared.receivedAt < KEPT_MS ? shared.file : null;
}
