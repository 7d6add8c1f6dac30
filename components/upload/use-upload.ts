"use client";

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { updateLocalState } from "@/components/session/local-state";
import { notifyOtherTabs } from "@/components/session/session-channel";
import { ApiCallError, command } from "@/lib/client/client";
import { browserClock, browserConnection } from "./browser-environment";
import { browserTransport } from "./browser-transport";
import { forgetUpload, noteUpload, unfinishedUploads } from "./unfinished-uploads";
import { Uploader, type UploadOutcome, type UploadSnapshot } from "./uploader";

/** A file that was chosen, with what recognises it. */
export type ChosenFile = {
  file: File;
  fingerprint: string;
  /** Lower-case hex, or null where it is not taken. */
  sha256: Promise<string | null>;
};

export type Upload = {
  /** Null as long as nothing was begun. */
  snapshot: UploadSnapshot | null;
  /** Uploads a file, from where an earlier upload of it stopped. */
  start(chosen: ChosenFile): Promise<UploadOutcome>;
  pause(): void;
  resume(): void;
  /** Gives it up, on the server too. */
  cancel(): void;
  /** Stops; the same file goes on later. */
  leave(): void;
};

const KEEP_ALIVE_MS = 5 * 60_000;
const ENDED = ["done", "failed", "cancelled"];

const nothing = () => () => undefined;

/**
 * Uploads files for a place, one at a time. While one is under way the session is kept alive, and closing the page asks
 * first; leaving the component stops it.
 *
 * @param place what the files are for, an environment's id
 */
export function useUpload(place: string): Upload {
  const [uploader, setUploader] = useState<Uploader | null>(null);
  const current = useRef<Uploader | null>(null);
  const snapshot = useSyncExternalStore(uploader?.subscribe ?? nothing, uploader?.snapshot ?? (() => null), () => null);
  const running = snapshot !== null && !ENDED.includes(snapshot.phase);

  useEffect(() => () => current.current?.leave(), []);

  useEffect(() => {
    if (!running) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    const interval = window.setInterval(() => void keepSessionAlive(), KEEP_ALIVE_MS);
    window.addEventListener("beforeunload", warn);
    return () => {
      window.clearInterval(interval);
      window.removeEventListener("beforeunload", warn);
    };
  }, [running]);

  const start = useCallback(
    ({ file, fingerprint, sha256 }: ChosenFile) => {
      const { name: fileName, size } = file;
      const next = new Uploader({
        file,
        sha256,
        transport: browserTransport,
        connection: browserConnection,
        clock: browserClock,
        random: Math.random,
        memory: {
          find: () =>
            unfinishedUploads().find((one) => one.fingerprint === fingerprint && one.place === place)?.uploadId ?? null,
          keep: (uploadId) => noteUpload({ uploadId, fingerprint, place, fileName, size, begunAt: Date.now() }),
          forget: () => forgetUpload({ fingerprint, place }),
        },
      });
      current.current?.leave();
      current.current = next;
      setUploader(next);
      return next.run();
    },
    [place],
  );

  return {
    snapshot,
    start,
    pause: useCallback(() => current.current?.pause(), []),
    resume: useCallback(() => current.current?.resume(), []),
    cancel: useCallback(() => current.current?.cancel(), []),
    leave: useCallback(() => current.current?.leave(), []),
  };
}

/** Nobody needs to touch the page while a large file is on its way. */
async function keepSessionAlive(): Promise<void> {
  try {
    const { exp } = await command("auth/refresh", {});
    await updateLocalState({ exp });
    notifyOtherTabs({ type: "renewed", exp });
  } catch (error) {
    // An ended session tells itself; anything else is left to the next time.
    if (!(error instanceof ApiCallError)) throw error;
  }
}
