"use client";

import { useEffect, useState } from "react";
import { whenIdle } from "@/lib/client/when-idle";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { keepProgress, onTourStart, readProgress } from "./tour-progress";

type Loaded = { GuidedTour: () => null };

/**
 * The guided tour of an administrator. It starts by itself on the dashboard unless it was dismissed, resumes at its step after a
 * reload, and is loaded only when it is shown.
 */
export function Tour({ dismissed }: { dismissed: boolean }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [run, setRun] = useState(0);

  useEffect(() => {
    const load = () => {
      import("./guided-tour").then(setLoaded, () => {});
      setRun((count) => count + 1);
    };
    const stopListening = onTourStart(load);
    const progress = readProgress();
    if (progress === null && !dismissed && location.pathname === PAGES.adminDashboard) keepProgress(0);
    const cancel = typeof readProgress() === "number" ? whenIdle(load) : undefined;
    return () => {
      stopListening();
      cancel?.();
    };
  }, [dismissed]);

  return loaded && <loaded.GuidedTour key={run} />;
}
