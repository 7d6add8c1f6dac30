"use client";

import type { InstallerKind } from "@slipway/installers";
import { useTranslations } from "next-intl";
import { Suspense, useEffect, useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { LoadBoundary, lazyPart } from "@/components/common/lazy-part";
import { useAnswer } from "@/components/common/use-answer";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";

const loadDifference = () => import("./release-difference").then((file) => file.ReleaseDifference);
// Loaded while the difference is read.
const ReleaseDifference = lazyPart(loadDifference);

export type ReleaseChangesProps = { from: string; to: string; kind: InstallerKind };

/** The difference of two releases, which is read after the page because both files may have to be read for it. */
export function ReleaseChanges({ from, to, kind }: ReleaseChangesProps) {
  const t = useTranslations("releases.changes");
  const common = useTranslations("common");
  const { answer: diff, retry } = useAnswer("apps/get-release-diff", { from, to });
  const [isCodeMissing, setIsCodeMissing] = useState(false);
  useEffect(() => {
    // Its failure is told where it is rendered.
    loadDifference().catch(() => {});
  }, []);

  const skeleton = (
    <div role="status" className="flex flex-col gap-2.5">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-24" />
    </div>
  );
  if (diff === null) return skeleton;
  if (diff === "failed" || isCodeMissing) {
    const tryAgain = () => {
      setIsCodeMissing(false);
      if (diff === "failed") retry();
    };
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p>{t("failed")}</p>
        <Button variant="secondary" size="sm" onClick={tryAgain}>
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
      <LoadBoundary onFailed={() => setIsCodeMissing(true)}>
        <Suspense fallback={skeleton}>
          <ReleaseDifference diff={diff} kind={kind} />
        </Suspense>
      </LoadBoundary>
      <CopyButton value={markdown} text={t("markdown")} size="sm" className="self-start max-lg:self-stretch" />
    </div>
  );
}
