/** Larger files are sent without checking whether they are already stored, because hashing them takes too long. */
const MAX_BYTES = 500_000_000;

export interface FileHashing {
  /** Lower-case hex; null if the file is too large or cannot be read, or the browser does not run workers. */
  sha256: Promise<string | null>;
  /** Stops hashing; the promise never settles. */
  stop(): void;
}

/** Computes the SHA-256 of a file in a worker. */
export function fileSha256(file: File): FileHashing {
  if (file.size > MAX_BYTES) return { sha256: Promise.resolve(null), stop: () => undefined };
  const worker = new Worker(new URL("./sha256-worker.ts", import.meta.url), { type: "module" });
  const sha256 = new Promise<string | null>((resolve) => {
    worker.addEventListener("message", (event: MessageEvent<string | null>) => resolve(event.data));
    worker.addEventListener("error", () => resolve(null));
    worker.postMessage(file);
  });
  const stop = () => worker.terminate();
  void sha256.then(stop);
  return { sha256, stop };
}
