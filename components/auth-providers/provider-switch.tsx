"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useUndo } from "@/components/common/use-undo";
import { Switch } from "@/components/ui/switch";
import { command } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import type { AdministeredProvider } from "@/lib/features/auth-providers/schema";

export type ProviderSwitchProps = Pick<AdministeredProvider, "provider" | "enabled" | "configured"> & {
  "aria-describedby": string;
};

/** Turns a sign-in method on or off immediately. If the server refuses, the switch returns and an error is shown. */
export function ProviderSwitch({ provider, enabled, configured, ...description }: ProviderSwitchProps) {
  const t = useTranslations("authProviders");
  const name = useTranslations("users.providers")(provider);
  const router = useRouter();
  const notifyUndoable = useUndo();
  const update = useOperation("config/update-auth-provider");
  const [chosen, setChosen] = useState<boolean | null>(null);

  // A new value from the server replaces the user's choice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `enabled` triggers the effect
  useEffect(() => {
    setChosen(null);
  }, [enabled]);

  const change = async (enabled: boolean) => {
    // Disabling the switch while it waits would make it lose the focus.
    if (update.pending) return;
    setChosen(enabled);
    const result = await update.run({ provider, enabled });
    if (result.ok) {
      const undo = async () => {
        const expected = { enabled };
        const undone = await command("config/update-auth-provider", { provider, enabled: !enabled, expected });
        // If the page was not refreshed since the change, `enabled` stays the same and does not replace the choice.
        setChosen(!enabled);
        return undone;
      };
      notifyUndoable(t(enabled ? "enable.switchedOn" : "enable.switchedOff", { provider: name }), undo);
      router.refresh();
    } else {
      setChosen(null);
    }
  };

  return (
    <Switch
      aria-label={t("signInWith", { provider: name })}
      checked={chosen ?? enabled}
      onCheckedChange={change}
      aria-busy={update.pending || undefined}
      disabled={!configured && !enabled}
      {...description}
    />
  );
}
