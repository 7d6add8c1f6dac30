"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useState } from "react";
import { useStore } from "@/components/common/store";
import type { Publication } from "./publication";
import { publications } from "./publications";
import { usePublication } from "./use-publication";

// Loaded with the first upload.
const PublishingPanel = lazy(() => import("./publishing-panel").then((file) => ({ default: file.PublishingPanel })));

/** The uploads of this page that no dialog shows. It is part of every page, so that uploads continue on the next one. */
export function PublishingDock() {
  const list = useStore(publications, (current) => current);
  const isEmpty = list.length === 0;
  // The panel stays, because the dialog that it opened may be left without a publication for a while.
  const [isUsed, setIsUsed] = useState(!isEmpty);
  if (!isEmpty && !isUsed) setIsUsed(true);
  if (!isUsed) return null;
  return (
    <>
      {list.map((publication) => (
        <Refresh key={publication.id} publication={publication} />
      ))}
      <Suspense fallback={null}>
        <PublishingPanel />
      </Suspense>
    </>
  );
}

/** The publications after which the page was loaded again. The dock is mounted again on pages with another layout. */
const refreshed = new WeakSet<Publication>();

/**
 * Loads the page's data again once a release is published. It is not part of the panel, which may still be loading when the dialog is
 * closed and the publication goes.
 */
function Refresh({ publication }: { publication: Publication }) {
  const router = useRouter();
  const isPublished = usePublication(publication)?.phase === "published";
  useEffect(() => {
    if (!isPublished || refreshed.has(publication)) return;
    refreshed.add(publication);
    router.refresh();
  }, [isPublished, publication, router]);
  return null;
}
