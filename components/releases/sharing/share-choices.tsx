"use client";

import { useTranslations } from "next-intl";
import { useAnswer } from "@/components/common/use-answer";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import type { ReleaseSummary } from "../release-summary";
import { ShareLinksPanel } from "./share-links-panel";
import { SharePanel } from "./share-panel";

export type ShareChoicesProps = {
  release: ReleaseSummary;
  /** Whether the user may make links that need no account; asked for if it is left out, so that the choices are the same everywhere. */
  mayUpdate?: boolean;
};

/** The ways to share a release: with people who have an account and, for users who may edit the release, without one. */
export function ShareChoices({ release, mayUpdate }: ShareChoicesProps) {
  const t = useTranslations("shareLinks");
  if (mayUpdate === undefined) return <AskedChoices release={release} />;
  if (!mayUpdate) return <SharePanel release={release} />;
  return (
    <Tabs defaultValue="account">
      <TabsList>
        <TabsTrigger value="account">{t("account")}</TabsTrigger>
        <TabsTrigger value="visitor">{t("visitor")}</TabsTrigger>
      </TabsList>
      <TabsContent value="account">
        <SharePanel release={release} />
      </TabsContent>
      <TabsContent value="visitor">
        <ShareLinksPanel release={release} />
      </TabsContent>
    </Tabs>
  );
}

function AskedChoices({ release }: { release: ReleaseSummary }) {
  const { answer } = useAnswer("apps/get-testing-deploy-by-id", { id: release.id });
  if (answer === null) return <Skeleton className="h-64 w-full" />;
  // The link of the release needs no further right.
  return <ShareChoices release={release} mayUpdate={answer !== "failed" && answer.scopes.includes("release:update")} />;
}
