"use client";

import { useEffect, useState } from "react";
import { whenIdle } from "@/lib/client/when-idle";
import { onTourStart, readProgress } from "./tour-progress";

type Loaded = { GuidedTour: () => null };

/**
 * The guided tour of an administrator, who starts it. It resumes at its step after a reload, and is loaded only when it is shown.
 */
export function Tour() {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [run, setRun] = useState(0);

  useEffect(() => {
    const load = () => {
      import("./guided-tour").then(setLoaded, () => {});
      setRun((count) => count + 1);
    };
    const stopListening = onTourStart(load);
    const cancel = readProgress() !== null ? whenIdle(load) : undefined;
    return () => {
      stopListening();
      cancel?.();
    };
  }, []);

  return loaded && <loaded.GuidedTour key={run} />;
}
