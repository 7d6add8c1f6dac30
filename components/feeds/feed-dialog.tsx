"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CopyField } from "@/components/common/copy-field";
import { ErrorState } from "@/components/common/error-state";
import { RelativeTime } from "@/components/common/relative-time";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { ReleaseFeed } from "@/lib/features/feeds/schema";

/** Makes, replaces and ends the address of the user's feed of releases. */
export function FeedDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("feed");
  const [feed, setFeed] = useState<ReleaseFeed | "failed" | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const create = useOperation("apps/create-release-feed");
  const end = useOperation("apps/delete-release-feed");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const controller = new AbortController();
    query("apps/get-release-feed", {}, { signal: controller.signal }).then(
      setFeed,
      () => controller.signal.aborted || setFeed("failed"),
    );
    return () => controller.abort();
  }, [attempt]);

  const renew = async () => {
    const result = await create.run({});
    if (!result.ok) return;
    const { url: address, ...state } = result.data;
    setFeed(state);
    setUrl(address);
  };
  const endNow = async () => {
    const result = await end.run({});
    if (!result.ok) return;
    notify.success(t("ended"));
    setFeed({ createdAt: null, lastReadAt: null });
    setUrl(null);
  };
  const retry = () => {
    setFeed(null);
    setAttempt((current) => current + 1);
  };
  const hasAddress = feed !== null && feed !== "failed" && feed.createdAt !== null;

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title")}</DialogTitle>
          <DialogDescription>{t("description")}</DialogDescription>
        </DialogHeader>
        <DialogBody>
          {feed === null && <Skeleton className="h-10" />}
          {feed === "failed" && <ErrorState onRetry={retry} />}
          {feed !== null && feed !== "failed" && (
            <>
              {url !== null && <CopyField label={t("address")} value={url} />}
              <p className="text-pretty text-muted-foreground leading-5">
                {url !== null
                  ? t("once")
                  : feed.createdAt === null
                    ? t("none")
                    : t.rich("since", { created: () => <RelativeTime date={feed.createdAt as string} /> })}{" "}
                {url === null &&
                  feed.lastReadAt !== null &&
                  t.rich("read", { read: () => <RelativeTime date={feed.lastReadAt as string} /> })}
              </p>
            </>
          )}
        </DialogBody>
        {feed !== null && feed !== "failed" && (
          <DialogFooter>
            {hasAddress && (
              <Button variant="secondary" loading={end.pending} onClick={() => void endNow()}>
                {t("end")}
              </Button>
            )}
            <Button loading={create.pending} onClick={() => void renew()}>
              {t(hasAddress ? "renew" : "create")}
            </Button>
          </DialogFooter>
        )}
      </DialogContent>
    </Dialog>
  );
}
