"use client";

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { updateLocalState } from "@/components/common/session/local-state";
import { notifyOtherTabs } from "@/components/common/session/session-channel";
import { useUnsavedWork } from "@/components/common/use-unsaved-work";
import { ApiCallError, command } from "@/lib/client/client";
import { browserClock, browserConnection } from "./browser-environment";
import { browserTransport } from "./browser-transport";
import { removeUpload, storeUpload, unfinishedUploads } from "./unfinished-uploads";
import { Uploader, type UploadOutcome, type UploadSnapshot } from "./uploader";

/** A chosen file with its fingerprint. */
export type ChosenFile = {
  file: File;
  fingerprint: string;
  /** Lower-case hex, or null if it is not computed. */
  sha256: Promise<string | null>;
};

export type Upload = {
  /** Null before the upload starts. */
  snapshot: UploadSnapshot | null;
  /** Uploads a file, resuming an earlier upload of it. */
  start(chosen: ChosenFile): Promise<UploadOutcome>;
  pause(): void;
  resume(): void;
  /** Cancels the upload, on the server too. */
  cancel(): void;
  /** Stops; choosing the same file later resumes the upload. */
  leave(): void;
};

const KEEP_ALIVE_MS = 5 * 60_000;
const ENDED = ["done", "failed", "cancelled"];

const nothing = () => () => undefined;

/**
 * Uploads files for an environment, one at a time. During an upload, the session is kept alive and closing the page
 * asks for confirmation. Unmounting the component stops the upload.
 *
 * @param place the ID of the environment
 */
export function useUpload(place: string): Upload {
  const [uploader, setUploader] = useState<Uploader | null>(null);
  const current = useRef<Uploader | null>(null);
  const snapshot = useSyncExternalStore(uploader?.subscribe ?? nothing, uploader?.snapshot ?? (() => null), () => null);
  const running = snapshot !== null && !ENDED.includes(snapshot.phase);

  useEffect(() => () => current.current?.leave(), []);

  useEffect(() => {
    if (!running) return;
    const interval = window.setInterval(() => void keepSessionAlive(), KEEP_ALIVE_MS);
    return () => window.clearInterval(interval);
  }, [running]);
  useUnsavedWork(running);

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
          keep: (uploadId) => storeUpload({ uploadId, fingerprint, place, fileName, size, begunAt: Date.now() }),
          forget: () => removeUpload({ fingerprint, place }),
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

/** The user does not have to interact with the page while a large file is being uploaded. */
async function keepSessionAlive(): Promise<void> {
  try {
    const { exp } = await command("auth/refresh", {});
    await updateLocalState({ exp });
    notifyOtherTabs({ type: "renewed", exp });
  } catch (error) {
    // An ended session is reported by the operation itself; other failures are retried next time.
    if (!(error instanceof ApiCallError)) throw error;
  }
}
