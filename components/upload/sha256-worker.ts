import { hashBlob } from "./hash-blob";

/** Hashes one file off the page's thread: takes the file, gives the hash in hex, or nothing where that failed. */
self.addEventListener("message", (event: MessageEvent<Blob>) => {
  hashBlob(event.data).then(
    (sha256) => self.postMessage(sha256),
    () => self.postMessage(null),
  );
});
