"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Switch } from "@/components/ui/switch";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { AdministeredProvider } from "@/lib/features/auth-providers/schema";

export type ProviderSwitchProps = Pick<AdministeredProvider, "provider" | "enabled" | "configured"> & {
  "aria-describedby": string;
};

/** Switches a way to sign in on or off, at once. Where the server refuses, it goes back and says why. */
export function ProviderSwitch({ provider, enabled, configured, ...description }: ProviderSwitchProps) {
  const t = useTranslations("authProviders");
  const name = useTranslations("users.providers")(provider);
  const router = useRouter();
  const update = useOperation("config/update-auth-provider");
  const [wanted, setWanted] = useState<boolean | null>(null);

  // What the server says counts again as soon as it says something new.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of `enabled` is the occasion
  useEffect(() => setWanted(null), [enabled]);

  const change = async (enabled: boolean) => {
    // A switch that is disabled while it waits would lose the focus.
    if (update.pending) return;
    setWanted(enabled);
    const result = await update.run({ provider, enabled });
    if (result.ok) {
      notify.success(t(enabled ? "enable.switchedOn" : "enable.switchedOff", { provider: name }));
      router.refresh();
    } else {
      setWanted(null);
    }
  };

  return (
    <Switch
      aria-label={t("signInWith", { provider: name })}
      checked={wanted ?? enabled}
      onCheckedChange={change}
      aria-busy={update.pending || undefined}
      disabled={!configured && !enabled}
      {...description}
    />
  );
}
