"use client";

import { CalendarPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyField } from "@/components/common/copy-field";
import { ErrorState } from "@/components/common/error-state";
import { RelativeTime } from "@/components/common/relative-time";
import { useAnswer } from "@/components/common/use-answer";
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
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { FeedKind } from "@/lib/features/feeds/schema";

/** The operations of each kind, and its texts. */
const KINDS = {
  release: {
    get: "apps/get-release-feed",
    create: "apps/create-release-feed",
    end: "apps/delete-release-feed",
    texts: "feed",
  },
  calendar: {
    get: "expiry/get-calendar-feed",
    create: "expiry/create-calendar-feed",
    end: "expiry/delete-calendar-feed",
    texts: "calendar",
  },
} as const satisfies Record<FeedKind, object>;

/** Makes, replaces and ends the secret address of the user's feed of releases, or of their calendar of what ends. */
export function FeedDialog({ kind, open, onOpenChange }: DialogProps & { kind: FeedKind }) {
  const paths = KINDS[kind];
  const t = useTranslations("feed");
  const ofKind = useTranslations(paths.texts);
  const calendar = useTranslations("calendar");
  const { answer: feed, setAnswer: setFeed, retry } = useAnswer(paths.get, {});
  const [address, setAddress] = useState<{ url: string; webcalUrl?: string } | null>(null);
  const create = useOperation(paths.create);
  const end = useOperation(paths.end);

  const renew = async () => {
    const result = await create.run({});
    if (!result.ok) return;
    const { createdAt, lastReadAt, ...addresses } = result.data;
    setFeed({ createdAt, lastReadAt });
    setAddress(addresses);
  };
  const endNow = async () => {
    const result = await end.run({});
    if (!result.ok) return;
    notify.success(t("ended"));
    setFeed({ createdAt: null, lastReadAt: null });
    setAddress(null);
  };
  const hasAddress = feed !== null && feed !== "failed" && feed.createdAt !== null;

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{ofKind("title")}</DialogTitle>
          <DialogDescription>{ofKind("description")}</DialogDescription>
        </DialogHeader>
        <DialogBody>
          {feed === null && <Skeleton className="h-10" />}
          {feed === "failed" && <ErrorState onRetry={retry} />}
          {feed !== null && feed !== "failed" && (
            <div className="flex flex-col gap-3">
              {address && <CopyField label={ofKind("address")} value={address.url} />}
              <p className="text-pretty text-muted-foreground leading-5">
                {address
                  ? t("once")
                  : feed.createdAt === null
                    ? t("none")
                    : t.rich("since", { created: () => <RelativeTime date={feed.createdAt as string} /> })}{" "}
                {!address &&
                  feed.lastReadAt !== null &&
                  t.rich("read", { read: () => <RelativeTime date={feed.lastReadAt as string} /> })}
              </p>
              {address?.webcalUrl && (
                <Button asChild variant="secondary" className="self-start">
                  <a href={address.webcalUrl}>
                    <CalendarPlus aria-hidden />
                    {calendar("open")}
                  </a>
                </Button>
              )}
            </div>
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
