"use client";

import { useEffect, useState } from "react";
import { query } from "@/lib/client/client";
import type { RetentionPreview } from "@/lib/features/retention/schema";

/** How long the user must not have typed before the preview is requested. */
const PAUSE_MS = 300;

interface PreviewedRule {
  keepNewest: number | null;
  keepDays: number | null;
  keepWithShareLink: boolean;
}

/** What a rule would move to the bin now; null while it is not known. */
export function useRetentionPreview(
  environmentId: string,
  { keepNewest, keepDays, keepWithShareLink }: PreviewedRule,
): RetentionPreview | "failed" | null {
  const [preview, setPreview] = useState<RetentionPreview | "failed" | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    setPreview(null);
    const timer = setTimeout(() => {
      query(
        "retention/get-retention-preview",
        {
          environmentId,
          keepWithShareLink,
          ...(keepNewest !== null && { keepNewest }),
          ...(keepDays !== null && { keepDays }),
        },
        { signal: controller.signal },
      ).then(setPreview, () => controller.signal.aborted || setPreview("failed"));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [environmentId, keepNewest, keepDays, keepWithShareLink]);
  return preview;
}
