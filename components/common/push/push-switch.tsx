"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Label } from "@/components/ui/label";
import { Switch } from "@/components/ui/switch";
import type { Push } from "./use-push";

/** Turns notifications of new releases on and off in this browser, or says why it cannot. */
export function PushSwitch({ push, disabled = false }: { push: Push; disabled?: boolean }) {
  const t = useTranslations("browserNotifications");
  const id = useId();
  const { state, failed } = push;
  const canChoose = state === "on" || state === "off";
  const why = failed ? "failed" : state === "loading" ? "off" : state;
  return (
    <div className="flex min-h-11 items-start justify-between gap-4 py-1 lg:min-h-9">
      <div className="flex min-w-0 flex-col gap-0.5">
        <Label htmlFor={id} className="min-w-0 break-words font-normal">
          {t("title")}
        </Label>
        <p
          id={`${id}-hint`}
          role={failed ? "alert" : undefined}
          className="text-pretty text-muted-foreground text-xs leading-4.5"
        >
          {t(why)}
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={state === "on"}
        disabled={disabled || !canChoose || push.pending}
        onCheckedChange={(checked) => void (checked ? push.turnOn() : push.turnOff())}
      />
    </div>
  );
}
