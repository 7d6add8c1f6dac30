import { hashBlob } from "./hash-blob";

/** Hashes a file off the main thread: receives the file and returns the hash in hex, or null on failure. */
self.addEventListener("message", (event: MessageEvent<Blob>) => {
  hashBlob(event.data).then(
    (sha256) => self.postMessage(sha256),
    () => self.postMessage(null),
  );
});
