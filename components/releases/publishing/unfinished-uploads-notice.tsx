"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { hasStoredUploads } from "@/components/common/upload/stored-uploads";
import type { UnfinishedUploadsProps } from "./unfinished-uploads";

// Loaded only if there is one, and left out if it cannot be loaded.
const UnfinishedUploads = lazy(() =>
  import("./unfinished-uploads").then(
    (file) => ({ default: file.UnfinishedUploads }),
    () => ({ default: () => [] }),
  ),
);

const nothing = () => () => undefined;

/** The interrupted uploads of this browser, on a page: the server does not know them. */
export function UnfinishedUploadsNotice({ place }: UnfinishedUploadsProps) {
  const stored = useSyncExternalStore(nothing, hasStoredUploads, () => false);
  if (!stored) return null;
  return (
    <Suspense fallback={null}>
      <UnfinishedUploads place={place} />
    </Suspense>
  );
}
