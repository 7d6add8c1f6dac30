"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { PushSwitch } from "@/components/common/push/push-switch";
import { usePush } from "@/components/common/push/use-push";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Label } from "@/components/ui/label";
import { Switch } from "@/components/ui/switch";
import { useOperation } from "@/lib/client/use-operation";
import type { NotificationSettings } from "@/lib/features/testers/schema";
import { PushDevices } from "./push-devices";

/** What the user is told of: releases, and what ends. */
export function NotificationsCard({ settings: initial }: { settings: NotificationSettings }) {
  const t = useTranslations("profile.notifications");
  const devicesText = useTranslations("browserNotifications");
  const [{ mail, bounced, push: isPushOn, expiry, groups }, setSettings] = useState(initial);
  const push = usePush(initial);
  const update = useOperation("testers/update-notification-settings");
  const change = async (input: Parameters<typeof update.run>[0]) => {
    const result = await update.run(input);
    if (result.ok) setSettings(result.data);
  };
  const isTold = mail || (isPushOn && push.devices.length > 0);
  return (
    <Card className="max-w-2xl">
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-1 pt-1">
        {/* Releases are told to members of groups. */}
        {groups.length > 0 && (
          <>
            <Setting
              label={t("mail")}
              checked={mail}
              disabled={update.pending}
              onChange={(checked) => void change({ mail: checked })}
            />
            {bounced && <p className="text-danger text-sm">{t("bounced")}</p>}
            {push.devices.length > 0 && (
              <Setting
                label={devicesText("all")}
                checked={isPushOn}
                disabled={update.pending}
                onChange={(checked) => void change({ push: checked })}
              />
            )}
            <PushSwitch push={push} disabled={!isPushOn} />
            <PushDevices push={push} />
            {groups.map(({ id, name, app, notify }) => (
              <Setting
                key={id}
                label={`${app.name} · ${name}`}
                checked={isTold && notify}
                disabled={!isTold || update.pending}
                onChange={(checked) => void change({ groups: [{ id, notify: checked }] })}
              />
            ))}
          </>
        )}
        <Setting
          label={t("expiry")}
          checked={expiry}
          disabled={update.pending}
          onChange={(checked) => void change({ expiry: checked })}
        />
      </CardContent>
    </Card>
  );
}

type SettingProps = { label: string; checked: boolean; disabled: boolean; onChange: (checked: boolean) => void };

function Setting({ label, checked, disabled, onChange }: SettingProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 lg:min-h-9">
      <Label htmlFor={id} className="min-w-0 break-words font-normal">
        {label}
      </Label>
      <Switch id={id} checked={checked} disabled={disabled} onCheckedChange={onChange} />
    </div>
  );
}
