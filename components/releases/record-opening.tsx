"use client";

import { reportedVersion } from "@slipway/installers";
import { useEffect } from "react";
import { command } from "@/lib/client/client";
import { deviceWithHints } from "./installing/use-device";

/** Within this time, the page of a release that is left and opened again is one opening. */
const OPENING_MS = 10 * 60_000;

/** When this tab recorded openings, by release; milliseconds since the epoch. */
const recorded = new Map<string, number>();

async function record(id: string): Promise<void> {
  if (Date.now() - (recorded.get(id) ?? 0) < OPENING_MS) return;
  recorded.set(id, Date.now());
  try {
    const device = await deviceWithHints();
    const osVersion = reportedVersion(device);
    await command("apps/record-testing-deploy-opening", { id, device: device.os, osVersion });
  } catch {
    // Nobody waits for it.
    recorded.delete(id);
  }
}

/** Records that a person sees the page of a release. A page that is loaded in the background is recorded once it is shown. */
export function RecordOpening({ releaseId }: { releaseId: string }) {
  useEffect(() => {
    const recordWhenShown = () => {
      if (document.visibilityState === "visible") void record(releaseId);
    };
    recordWhenShown();
    document.addEventListener("visibilitychange", recordWhenShown);
    return () => document.removeEventListener("visibilitychange", recordWhenShown);
  }, [releaseId]);
  return null;
}
