"use client";

import { CircleCheck, CircleDashed, Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { ErrorState } from "@/components/common/error-state";
import { RelativeTime } from "@/components/common/relative-time";
import { openedDevice } from "@/components/common/releases/opened-device";
import { releaseName } from "@/components/common/releases/release-name";
import { saveFile } from "@/components/common/save-file";
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
import { downloadFile, query } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { ReleasePerson } from "@/lib/features/installs/schema";
import { obstacleTitle } from "./obstacle-title";
import type { PeoplePlace } from "./people-button";

export type PeopleDialogProps = DialogProps & { place: PeoplePlace; name: string };

/** People that are asked for at a time. */
const PAGE = 50;

interface People {
  items: readonly ReleasePerson[];
  nextCursor: string | null;
}

/** The people of a place, a page at a time. */
function usePeople(place: PeoplePlace) {
  const [people, setPeople] = useState<People | null>(null);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const key = JSON.stringify(place);
  const load = useCallback(
    async (cursor: string | null, signal?: AbortSignal) => {
      setState("loading");
      try {
        const input = { ...(JSON.parse(key) as PeoplePlace), limit: PAGE, ...(cursor !== null && { cursor }) };
        const page = await query("installs/get-release-people", input, { ...(signal && { signal }) });
        setPeople((before) => ({
          items: cursor === null ? page.items : [...(before?.items ?? []), ...page.items],
          nextCursor: page.nextCursor,
        }));
        setState("ready");
      } catch {
        if (!signal?.aborted) setState("failed");
      }
    },
    [key],
  );
  useEffect(() => {
    const controller = new AbortController();
    void load(null, controller.signal);
    return () => controller.abort();
  }, [load]);
  return { people, state, load: () => load(people?.nextCursor ?? null) };
}

/** The people who downloaded a release completely, and those who stopped before, with their steps. */
export function PeopleDialog({ place, name, open, onOpenChange }: PeopleDialogProps) {
  const t = useTranslations("funnel.people");
  const { people, state, load } = usePeople(place);
  const call = useNotifiedCall();
  const save = async () => {
    const file = await call(() => downloadFile("installs/get-release-people", { ...place, format: "csv" }));
    if (file) saveFile(file, file.name);
  };
  const hasMore = state === "ready" && people !== null && people.nextCursor !== null;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title", { name })}</DialogTitle>
          <DialogDescription>{t("description")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-3 pb-4">
          {people && people.items.length === 0 && <p className="text-muted-foreground">{t("none")}</p>}
          {people && people.items.length > 0 && (
            <ul className="flex flex-col divide-y divide-border">
              {people.items.map((person) => (
                <Person
                  key={`${person.release.id} ${person.user.id}`}
                  person={person}
                  withRelease={!("releaseId" in place)}
                />
              ))}
            </ul>
          )}
          {state === "loading" && <Skeleton className="h-24" />}
          {state === "failed" && <ErrorState onRetry={() => void load()} />}
          {hasMore && (
            <Button variant="secondary" onClick={() => void load()}>
              {t("more")}
            </Button>
          )}
        </DialogBody>
        {people && people.items.length > 0 && (
          <DialogFooter>
            <Button variant="secondary" onClick={() => void save()}>
              <Download aria-hidden />
              {t("export")}
            </Button>
          </DialogFooter>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** A person, how far they came, and on which device. */
export function Person({ person, withRelease }: { person: ReleasePerson; withRelease: boolean }) {
  const t = useTranslations("funnel");
  const releases = useTranslations("releases");
  const reasons = useTranslations("install.reasons");
  const { user, release, step, complete, codes, os, osVersion, model, modelName, lastAt } = person;
  const Icon = complete ? CircleCheck : CircleDashed;
  const device = openedDevice({ device: os, osVersion }, releases("computer"));
  return (
    <li className="flex min-w-0 items-start gap-2.5 py-2 leading-5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${complete ? "text-success" : "text-muted-foreground"}`} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate">{user.name}</span>
        <span className="truncate text-muted-foreground text-xs leading-4.5">{user.email}</span>
        <span className="text-pretty text-muted-foreground text-xs leading-4.5">
          {[
            t(`steps.${step}`),
            withRelease && releaseName(release),
            modelName ?? model,
            device,
            ...codes.map((code) => obstacleTitle(code, reasons, t("otherSystem"))),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <span className="shrink-0 text-muted-foreground text-xs leading-5">
        <RelativeTime date={lastAt} />
      </span>
    </li>
  );
}
