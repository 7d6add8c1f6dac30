"use client";

import type { InstallerKind } from "@slipway/installers";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useEffect, useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { query } from "@/lib/client/client";
import type { ReleaseDiff } from "@/lib/features/releases/schema";

const loadDifference = () => import("./release-difference");
// Loaded while the difference is read.
const ReleaseDifference = lazy(() => loadDifference().then((file) => ({ default: file.ReleaseDifference })));

export type ReleaseChangesProps = { from: string; to: string; kind: InstallerKind };

/** The difference of two releases, which is read after the page because both files may have to be read for it. */
export function ReleaseChanges({ from, to, kind }: ReleaseChangesProps) {
  const t = useTranslations("releases.changes");
  const common = useTranslations("common");
  const [diff, setDiff] = useState<ReleaseDiff | "failed" | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const controller = new AbortController();
    setDiff(null);
    // Its failure is told where it is rendered.
    loadDifference().catch(() => {});
    query("apps/get-release-diff", { from, to }, { signal: controller.signal }).then(
      setDiff,
      () => controller.signal.aborted || setDiff("failed"),
    );
    return () => controller.abort();
  }, [from, to, attempt]);

  const skeleton = (
    <div role="status" className="flex flex-col gap-2.5">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-24" />
    </div>
  );
  if (diff === null) return skeleton;
  if (diff === "failed") {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p>{t("failed")}</p>
        <Button variant="secondary" size="sm" onClick={() => setAttempt(attempt + 1)}>
          {common("retry")}
        </Button>
      </div>
    );
  }
  const markdown = async () => {
    const response = await fetch(`/api/apps/get-release-diff?${new URLSearchParams({ from, to, format: "markdown" })}`);
    if (!response.ok) throw new Error(`the difference was answered with ${response.status}`);
    return response.text();
  };
  return (
    <div className="flex flex-col gap-4">
      <Suspense fallback={skeleton}>
        <ReleaseDifference diff={diff} kind={kind} />
      </Suspense>
      <CopyButton value={markdown} text={t("markdown")} size="sm" className="self-start max-lg:self-stretch" />
    </div>
  );
}
