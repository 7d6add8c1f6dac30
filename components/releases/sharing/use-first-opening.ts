import { useEffect, useState } from "react";
import { query } from "@/lib/client/client";
import { isWatched } from "@/lib/client/poll";
import type { KnownOpening, ReleaseOpening } from "@/lib/features/releases/schema";

/** The time between two questions, which grows while nothing happens. */
const FIRST_DELAY_MS = 3_000;
const LONGEST_DELAY_MS = 30_000;
const DELAY_FACTOR = 1.1;

const keyOf = ({ device, byPublisher }: KnownOpening) => `${device} ${byPublisher}`;

/**
 * The first phone or tablet that opens a release while the component is shown; null until then. The server is asked only while
 * the page is visible and the browser is online.
 */
export function useFirstOpening(releaseId: string): ReleaseOpening | null {
  const [opening, setOpening] = useState<ReleaseOpening | null>(null);
  const found = opening !== null;

  useEffect(() => {
    if (found) return;
    const controller = new AbortController();
    const { signal } = controller;
    let known: Map<string, string> | null = null;
    let delay = FIRST_DELAY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;

    const ask = async () => {
      clearTimeout(timer);
      if (asking || !isWatched()) return;
      asking = true;
      try {
        const { items } = await query("apps/get-testing-deploy-openings", { id: releaseId }, { signal });
        const before = known;
        const opened = items.find(
          (item) => before && item.device !== "desktop" && before.get(keyOf(item)) !== item.lastOpenedAt,
        );
        known ??= new Map(items.map((item) => [keyOf(item), item.lastOpenedAt]));
        if (opened && !signal.aborted) setOpening(opened);
      } catch {
        // It is asked again.
      }
      asking = false;
      if (signal.aborted) return;
      timer = setTimeout(ask, delay);
      delay = Math.min(delay * DELAY_FACTOR, LONGEST_DELAY_MS);
    };
    const resume = () => {
      delay = FIRST_DELAY_MS;
      void ask();
    };

    void ask();
    document.addEventListener("visibilitychange", resume);
    window.addEventListener("online", resume);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", resume);
      window.removeEventListener("online", resume);
    };
  }, [found, releaseId]);

  return opening;
}
