"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { DocsLink } from "@/components/common/docs-link";
import { ErrorState } from "@/components/common/error-state";
import type { DialogProps } from "@/components/common/use-dialog";
import { Alert } from "@/components/ui/alert";
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
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { query } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { poll } from "@/lib/client/poll";
import { useOperation } from "@/lib/client/use-operation";
import type { AppleRegistration } from "@/lib/features/devices/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { DevicesToRegister } from "./devices-to-register";

type Place = OperationOutput<"devices/get-apple-registrations">["items"][number];

/** How often a registration that is under way is asked for. */
const POLL_MS = 2_000;
/** Environments that can be chosen. */
const SHOWN = 100;

export type AppleDialogProps = DialogProps & {
  /** The release whose missing devices are registered, by the key of its environment; without it, those of its people. */
  release?: { id: string; environmentId: string };
};

/** Registers devices with Apple by an environment's key of App Store Connect, and says what became of them. */
export function AppleDialog({ release, open, onOpenChange }: AppleDialogProps) {
  const t = useTranslations("devices.apple");
  const common = useTranslations("common");
  const start = useOperation("devices/start-apple-registration");
  const [places, setPlaces] = useState<readonly Place[] | "failed" | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [listed, setListed] = useState(false);
  const known = places === "failed" ? null : places;
  const place = known?.find(({ environment }) => environment.id === chosen) ?? known?.[0];
  const isPending = place?.last?.state === "pending";
  const filter = release?.environmentId;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const controller = new AbortController();
    const input = { limit: SHOWN, ...(filter && { environmentId: filter }) };
    const load = async (signal: AbortSignal) => {
      try {
        const { items } = await query("devices/get-apple-registrations", input, { signal });
        if (!signal.aborted) setPlaces(items);
      } catch {
        if (!signal.aborted) setPlaces((current) => current ?? "failed");
      }
    };
    void load(controller.signal);
    const stop = isPending ? poll(load, POLL_MS) : () => {};
    return () => {
      controller.abort();
      stop();
    };
  }, [filter, attempt, isPending]);

  const register = async () => {
    if (!place) return;
    const environmentId = place.environment.id;
    const result = await start.run({ environmentId, ...(release && { releaseId: release.id }) });
    if (!result.ok) return;
    setPlaces((known ?? []).map((one) => (one.environment.id === environmentId ? { ...one, last: result.data } : one)));
  };

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title")}</DialogTitle>
          <DialogDescription>{t(release ? "missingDescription" : "description")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4 pb-4">
          {places === null && <Skeleton className="h-16" />}
          {places === "failed" && (
            <ErrorState
              onRetry={() => {
                setPlaces(null);
                setAttempt((current) => current + 1);
              }}
            />
          )}
          {known && !place && <p className="text-pretty">{t("noKey")}</p>}
          {known && known.length > 1 && place && (
            <Select value={place.environment.id} onValueChange={setChosen}>
              <SelectTrigger aria-label={t("environment")}>
                <SelectValue />
              </SelectTrigger>
              <SelectContent>
                {known.map(({ app, environment }) => (
                  <SelectItem key={environment.id} value={environment.id}>
                    {`${app.name} · ${environment.name}`}
                  </SelectItem>
                ))}
              </SelectContent>
            </Select>
          )}
          {place && !place.isActive && <Alert tone="warning" title={t("inactive")} />}
          {place && !isPending && (
            <DevicesToRegister environmentId={place.environment.id} releaseId={release?.id} onShown={setListed} />
          )}
          {place?.last && <Outcome registration={place.last} />}
          <DocsLink href={`${PAGES.docs}/devices`} />
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {common("close")}
          </Button>
          {place && (
            <Button
              loading={start.pending || isPending}
              disabled={!place.isActive || !listed}
              onClick={() => void register()}
            >
              {t(place.last && !isPending ? "again" : "action")}
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

/** How far a registration is, or what became of it. */
function Outcome({ registration }: { registration: AppleRegistration }) {
  const t = useTranslations("devices.apple");
  const { state, total, registered, already, disabled, refused, error, detail, problems } = registration;
  const tried = registered + already + disabled + refused;
  const counts = [
    ["registered", registered],
    ["already", already],
    ["disabled", disabled],
    ["refused", refused],
  ] as const;
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="font-medium">{state === "pending" ? t("pending", { tried, total }) : t(state, { total })}</p>
      {error && (
        <Alert tone={state === "failed" ? "danger" : "warning"} title={t(`errors.${error}`)}>
          {detail}
        </Alert>
      )}
      <ul className="flex flex-col gap-1 empty:hidden">
        {counts.map(([name, count]) => count > 0 && <li key={name}>{t(`counts.${name}`, { count })}</li>)}
      </ul>
      {problems.map(({ detail: reason, count, names }) => (
        <Alert key={reason} tone="warning" title={reason ?? t("errors.refused")}>
          {count > names.length
            ? t("andMore", { names: names.join(", "), count: count - names.length })
            : names.join(", ")}
        </Alert>
      ))}
      {registered > 0 && state !== "pending" && <p className="text-pretty text-muted-foreground">{t("next")}</p>}
    </div>
  );
}
