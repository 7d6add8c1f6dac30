import { useEffect, useReducer, useState } from "react";

/** A file that is uploaded for a place, in this tab or another one. */
type UploadKey = {
  /** Identifies the file; see `fileFingerprint`. */
  fingerprint: string;
  /** The ID of the environment. */
  place: string;
};

const PREFIX = "slipway-upload ";

export function lockNameOf({ fingerprint, place }: UploadKey): string {
  return `${PREFIX}${fingerprint} ${place}`;
}

/**
 * Runs work on an upload, and shows this to the other tabs until the work is done or the tab is closed. Tabs do not
 * wait for each other. Without the Web Locks API, which is missing outside secure contexts, it only runs the work.
 */
export function whileUploading<Result>(upload: UploadKey, work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator;
  return locks ? locks.request(lockNameOf(upload), { mode: "shared" }, work) : work();
}

/**
 * Whether some tab works on an upload; null while that is not known. When a tab ends its work, the component is rendered
 * again.
 */
export function useActiveUploads(): ((upload: UploadKey) => boolean) | null {
  const [names, setNames] = useState<ReadonlySet<string> | null>(null);
  const [ended, noteEnd] = useReducer((count: number) => count + 1, 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the locks are read again when one has been released
  useEffect(() => {
    const left = new AbortController();
    void heldLocks().then((held) => {
      if (left.signal.aborted) return;
      setNames(new Set(held));
      for (const name of held) {
        navigator.locks.request(name, { signal: left.signal }, noteEnd).catch(() => undefined);
      }
    });
    return () => left.abort();
  }, [ended]);

  return names && ((upload) => names.has(lockNameOf(upload)));
}

async function heldLocks(): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name] : []));
}
