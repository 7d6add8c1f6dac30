"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useId, useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { ErrorState } from "@/components/common/error-state";
import { releaseName } from "@/components/common/releases/release-name";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import type { DialogProps } from "@/components/common/use-dialog";
import { Badge, type BadgeProps } from "@/components/ui/badge";
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
import { Label } from "@/components/ui/label";
import { Progress } from "@/components/ui/progress";
import { Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import type { ReleaseRecipient } from "@/lib/features/testers/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { type DistributionGroup, GroupChoice } from "./publishing/group-choice";
import { notifyHint } from "./publishing/notify-hint";
import type { ReleaseSummary } from "./release-summary";

type Distributions = OperationOutput<"testers/get-release-distributions">;
type Loaded = { groups: readonly DistributionGroup[]; mail: boolean; told: Distributions };

/** Recipients that are shown at first, and that each further page has. */
const SHOWN = 50;
/** While recipients are being made, how often their number is asked for. */
const REFRESH_MS = 2_000;

const TONES: Record<ReleaseRecipient["state"], BadgeProps["tone"]> = {
  waiting: "info",
  told: "success",
  silent: "neutral",
  off: "neutral",
  pending: "warning",
  bounced: "danger",
  "no-access": "warning",
  "no-mail": "warning",
};

async function load({ id, environmentId }: ReleaseSummary, signal: AbortSignal): Promise<Loaded> {
  const [groups, told] = await Promise.all([
    query("testers/get-distribution-groups", { environmentId }, { signal }),
    query("testers/get-release-distributions", { releaseId: id, limit: SHOWN }, { signal }),
  ]);
  return { groups: groups.items, mail: groups.mail, told };
}

const isPreparing = ({ told }: Loaded) => told.distributions.some(({ state }) => state === "pending");

/** What the dialog shows. It is loaded again while recipients are being made. */
function useDistributions(release: ReleaseSummary): { loaded: Loaded | "loading" | "failed"; reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded | "loading" | "failed">("loading");
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    load(release, controller.signal).then(
      (current) => {
        setLoaded(current);
        if (isPreparing(current)) timer = setTimeout(() => setAttempt((count) => count + 1), REFRESH_MS);
      },
      () => controller.signal.aborted || setLoaded("failed"),
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [release.id, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  return { loaded, reload };
}

/** Distributes a release to groups of testers, and shows who was told, opened and installed it. */
export function TellTestersDialog({ release, open, onOpenChange }: DialogProps & { release: ReleaseSummary }) {
  const t = useTranslations("testers.tell");
  const common = useTranslations("common");
  const { loaded, reload } = useDistributions(release);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [wantsNotice, setWantsNotice] = useState<boolean | null>(null);
  // Without a mail server, few of them would get a notice.
  const isNotifying = wantsNotice ?? (typeof loaded === "string" || loaded.mail);
  useUnsavedInput(open && chosen.length > 0);
  const notifyId = useId();
  const distribute = useOperation("testers/distribute-release");
  const tell = async () => {
    const result = await distribute.run({ releaseId: release.id, groupIds: [...chosen], notify: isNotifying });
    if (!result.ok) return;
    notify.success(t(isNotifying ? "done" : "doneSilent"));
    setChosen([]);
    reload();
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title", { name: releaseName(release) })}</DialogTitle>
          <DialogDescription>{t("description")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4">
          {loaded === "loading" && <Skeleton className="h-32 w-full" />}
          {loaded === "failed" && <ErrorState onRetry={reload} />}
          {typeof loaded !== "string" && (
            <>
              {loaded.groups.length === 0 ? (
                <p className="text-muted-foreground">{t("noGroups")}</p>
              ) : (
                <GroupChoice groups={loaded.groups} chosen={chosen} onChange={setChosen} />
              )}
              {loaded.groups.length > 0 && (
                <div className="flex items-center justify-between gap-4 rounded-lg border border-border px-3 py-2.5">
                  <div className="flex flex-col gap-0.5">
                    <Label htmlFor={notifyId}>{t("notify")}</Label>
                    <p id={`${notifyId}-hint`} className="text-muted-foreground text-xs leading-4.5">
                      {t(notifyHint(loaded.mail, isNotifying))}
                    </p>
                  </div>
                  <Switch
                    id={notifyId}
                    aria-describedby={`${notifyId}-hint`}
                    checked={isNotifying}
                    onCheckedChange={setWantsNotice}
                  />
                </div>
              )}
              {!loaded.mail && (
                <CopyButton
                  className="self-start"
                  text={t("copyLink")}
                  value={async () => `${window.location.origin}${releasePath(release.id)}`}
                />
              )}
              <Recipients releaseId={release.id} told={loaded.told} />
            </>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {common("close")}
          </Button>
          <Button disabled={chosen.length === 0} loading={distribute.pending} onClick={() => void tell()}>
            {t("action")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

/** The recipients after the first page, which are loaded when they are asked for. */
function useFurtherRecipients(releaseId: string, told: Distributions) {
  const notified = useNotifiedCall();
  const [further, setFurther] = useState<{ of: Distributions; pages: readonly Distributions[] }>({
    of: told,
    pages: [],
  });
  const [pending, setPending] = useState(false);
  // A new first page begins the list again.
  const pages = further.of === told ? further.pages : [];
  const { nextCursor } = pages.at(-1) ?? told;
  const loadMore = async () => {
    if (nextCursor === null) return;
    setPending(true);
    const input = { releaseId, limit: SHOWN, cursor: nextCursor };
    const page = await notified(() => query("testers/get-release-distributions", input));
    if (page) setFurther({ of: told, pages: [...pages, page] });
    setPending(false);
  };
  return { items: [told, ...pages].flatMap((page) => page.items), hasMore: nextCursor !== null, pending, loadMore };
}

/** Who was told of a release, and how far a distribution is. */
function Recipients({ releaseId, told }: { releaseId: string; told: Distributions }) {
  const t = useTranslations("testers.tell");
  const { counts, distributions, total } = told;
  const { items, hasMore, pending, loadMore } = useFurtherRecipients(releaseId, told);
  const preparing = distributions.find(({ state }) => state === "pending");
  if (distributions.length === 0) return null;
  return (
    <section aria-label={t("recipients")} className="flex flex-col gap-2">
      <h3 className="font-medium">{t("recipients")}</h3>
      {preparing && preparing.total !== null && (
        <div role="status" className="flex flex-col gap-1.5">
          <p className="text-muted-foreground">
            {t("preparing", { processed: preparing.processed, total: preparing.total })}
          </p>
          <Progress
            label={t("recipients")}
            value={preparing.total === 0 ? 100 : (100 * preparing.processed) / preparing.total}
          />
        </div>
      )}
      <p className="text-muted-foreground">{t("summary", counts)}</p>
      <ul className="flex flex-col divide-y divide-border">
        {items.map(({ id, name, email, state, openedAt, installedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 break-words">{name ?? email}</span>
            <span className="flex flex-wrap gap-1.5">
              {installedAt ? (
                <Badge tone="success">{t("installed")}</Badge>
              ) : (
                openedAt && <Badge tone="info">{t("opened")}</Badge>
              )}
              <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
            </span>
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p role="status" className="text-muted-foreground text-xs">
            {t("shown", { shown: items.length, total })}
          </p>
          <Button variant="secondary" size="sm" loading={pending} onClick={() => void loadMore()}>
            {t("more")}
          </Button>
        </div>
      )}
    </section>
  );
}
