"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { ErrorState } from "@/components/common/error-state";
import { useAnswer } from "@/components/common/use-answer";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";

/** Devices that are named; the others are counted. */
const SHOWN = 100;

export type DevicesToRegisterProps = {
  environmentId: string;
  /** The release whose missing devices are registered. */
  releaseId: string | undefined;
  /** Is told whether the devices are shown. */
  onShown: (shown: boolean) => void;
};

/** The devices that are sent to Apple, whose they are, and which of them nothing but their answer vouches for. */
export function DevicesToRegister({ environmentId, releaseId, onShown }: DevicesToRegisterProps) {
  const t = useTranslations("devices");
  const filter = releaseId === undefined ? { toRegisterIn: environmentId } : { missingIn: releaseId };
  const { answer, retry } = useAnswer("devices/get-devices", { ...filter, sort: "name", limit: SHOWN });
  const isShown = answer !== null && answer !== "failed";
  useEffect(() => {
    onShown(isShown);
  }, [isShown, onShown]);
  if (answer === null) return <Skeleton className="h-16" />;
  if (answer === "failed") return <ErrorState onRetry={retry} />;
  const { items, total } = answer;
  if (items.length === 0) return <p className="text-pretty">{t("apple.nobody")}</p>;
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium">{t("apple.sent")}</p>
      <ul className="flex flex-col divide-y divide-border">
        {items.map(({ id, name, modelName, model, user, attested }) => (
          <li key={id} className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1 py-1.5">
            <span className="flex min-w-0 flex-col">
              <span className="break-words">{name}</span>
              <span className="break-words text-muted-foreground text-xs">
                {[modelName ?? model, user && `${user.firstNames} ${user.lastNames}`].filter(Boolean).join(" · ")}
              </span>
            </span>
            {!attested && <Badge tone="warning">{t("apple.notAttested")}</Badge>}
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p className="text-muted-foreground text-xs">{t("coverage.more", { count: total - items.length })}</p>
      )}
    </div>
  );
}
