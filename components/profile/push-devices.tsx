"use client";

import { MonitorSmartphone, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Push } from "@/components/common/push/use-push";
import { RelativeTime } from "@/components/common/relative-time";
import { RowButton } from "@/components/common/row-button";
import { Badge } from "@/components/ui/badge";
import { notify } from "@/lib/client/notify";
import type { PushDevice } from "@/lib/features/testers/schema";

/** The browsers of the user that show notifications. */
export function PushDevices({ push }: { push: Push }) {
  const t = useTranslations("browserNotifications");
  if (push.devices.length === 0) return null;
  return (
    <ul aria-label={t("devices")} className="flex flex-col divide-y divide-border rounded-lg border border-border">
      {push.devices.map((device) => (
        <Device key={device.id} device={device} push={push} />
      ))}
    </ul>
  );
}

function Device({ device: { id, client, createdAt }, push }: { device: PushDevice; push: Push }) {
  const t = useTranslations("browserNotifications");
  const { program, system } = client;
  const name = program && system ? t("device", { program, system }) : (program ?? system ?? t("unknown"));
  const isOwn = id === push.ownId;
  const remove = async () => {
    if (await push.remove(id)) notify.success(t("removed", { name }));
  };
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <MonitorSmartphone aria-hidden className="size-4.5 shrink-0 text-muted-foreground" />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="truncate">{name}</span>
        {isOwn && <Badge tone="success">{t("thisDevice")}</Badge>}
        <RelativeTime date={createdAt} className="text-muted-foreground text-xs" />
      </span>
      {!isOwn && (
        <RowButton
          label={t("remove", { name })}
          icon={<Trash2 aria-hidden />}
          destructive
          disabled={push.pending}
          onClick={() => void remove()}
        />
      )}
    </li>
  );
}
