"use client";

import { lazy, Suspense } from "react";
import { useStore } from "@/components/common/store";
import { publications } from "./publications";

// Loaded with the first upload.
const PublishingPanel = lazy(() => import("./publishing-panel").then((file) => ({ default: file.PublishingPanel })));

/** The uploads of this page that no dialog shows. It is part of every page, so that uploads continue on the next one. */
export function PublishingDock() {
  const isEmpty = useStore(publications, (list) => list.length === 0);
  if (isEmpty) return null;
  return (
    <Suspense fallback={null}>
      <PublishingPanel />
    </Suspense>
  );
}
