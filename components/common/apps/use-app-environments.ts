"use client";

import { useEffect, useState } from "react";
import { query } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";

export type AppEnvironment = {
  id: string;
  name: string;
  /** The identifiers that it accepts beside that of its application. */
  identifiers: readonly string[];
};

/** The environments of an app, or the state of loading them. */
export type AppEnvironments = readonly AppEnvironment[] | "loading" | "failed";

/**
 * Fetches the environments of applications, each once. @returns the environments of one of them, and a function that
 * retries
 */
export function useAppEnvironments(appIds: readonly string[]): {
  environmentsOf: (appId: string) => AppEnvironments;
  retry: () => void;
} {
  const [known, setKnown] = useState<ReadonlyMap<string, readonly AppEnvironment[] | "failed">>(new Map());
  const notified = useNotifiedCall();
  const missing = appIds
    .filter((id) => !known.has(id))
    .sort()
    .join(" ");

  useEffect(() => {
    if (missing === "") return;
    const ids = missing.split(" ");
    const controller = new AbortController();
    const store = (found: (id: string) => readonly AppEnvironment[] | "failed") => {
      if (!controller.signal.aborted)
        setKnown((before) => new Map([...before, ...ids.map((id) => [id, found(id)] as const)]));
    };
    notified(() => query("apps/get-environments-apps-by-app", { appIds: ids }, { signal: controller.signal })).then(
      (found) => {
        if (!found) {
          store(() => "failed");
          return;
        }
        const byApp = new Map(found.items.map(({ app, environments }) => [app.id, environments]));
        store((id) => byApp.get(id) ?? []);
      },
      () => store(() => "failed"),
    );
    return () => controller.abort();
  }, [missing, notified]);

  return {
    environmentsOf: (appId) => known.get(appId) ?? "loading",
    retry: () => setKnown((before) => new Map([...before].filter(([, found]) => found !== "failed"))),
  };
}
