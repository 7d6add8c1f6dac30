/** Larger files are sent without asking whether they are there: hashing them takes longer than is worth waiting for. */
const MAX_BYTES = 500_000_000;

export interface FileHashing {
  /** Lower-case hex; null where the file is too large, cannot be read, or the browser does not let workers run. */
  sha256: Promise<string | null>;
  /** Ends the work; the promise stays open. */
  stop(): void;
}

/** Takes the SHA-256 of a file without keeping the page from answering. */
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
