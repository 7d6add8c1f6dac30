"use client";

import { useState } from "react";
import { useOperation } from "@/lib/client/use-operation";
import type { ReleaseSummary } from "../release-summary";
import { startDownload } from "./download";

/** Installs a release on this device. */
export function useInstall({ id, facts }: Pick<ReleaseSummary, "id" | "facts">): {
  /** Starts the installation on the device. */
  install(way: "itms-services" | "apk"): Promise<void>;
  pending: boolean;
  /** Whether the device has taken over; the page does not learn the result. */
  installStarted: boolean;
} {
  // A list shows the next release in the place of the one before, with the same state.
  const [startedId, setStartedId] = useState<string | null>(null);
  const makeLink = useOperation("apps/generate-apple-manifest-request-token");

  const install = async (way: "itms-services" | "apk") => {
    if (way === "apk") {
      startDownload(id, facts.kind === "aab" ? "universal" : undefined);
      setStartedId(id);
      return;
    }
    const result = await makeLink.run({ id });
    if (!result.ok) return;
    setStartedId(id);
    window.location.assign(result.data.installUrl);
  };

  return { install, pending: makeLink.pending, installStarted: startedId === id };
}
