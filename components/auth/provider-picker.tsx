"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { SsoProviderName } from "@/lib/features/auth-providers/schema";

export type ProviderPickerProps = {
  /** Those that are switched on, with their marks: drawn on the server, they cost the browser no script. */
  providers: { provider: SsoProviderName; icon: ReactNode }[];
  /** The page that was wanted before the sign-in, already checked to be one of this console. */
  next: string | null;
  className?: string;
};

/** Signs in elsewhere: one button for each provider, which leads to its page. */
export function ProviderPicker({ providers, next, className }: ProviderPickerProps) {
  const t = useTranslations("auth.providers");
  const name = useTranslations("users.providers");
  const login = useOperation("auth/oauth-login", { quiet: true });
  const [chosen, setChosen] = useState<SsoProviderName | null>(null);

  // Whoever turns back at the provider may get this very page again, as it was left.
  useEffect(() => {
    const again = () => setChosen(null);
    window.addEventListener("pageshow", again);
    return () => window.removeEventListener("pageshow", again);
  }, []);

  if (providers.length === 0) return null;

  const leave = async (provider: SsoProviderName) => {
    setChosen(provider);
    const result = await login.run({ provider, ...(next !== null && { redirectTo: next }) });
    if (result.ok) {
      window.location.assign(result.data.url);
      return;
    }
    setChosen(null);
    notify.error(t("urlFailed"), { description: result.problem.detail });
  };

  // From three on, two share a row; an odd last one has its own.
  const paired = providers.length > 2;
  return (
    <ul aria-label={t("label")} className={cn("grid gap-3", paired && "grid-cols-2", className)}>
      {providers.map(({ provider, icon }, index) => {
        const wide = paired && index === providers.length - 1 && index % 2 === 0;
        return (
          <li key={provider} className={cn("grid", wide && "col-span-2")}>
            <Button
              variant="secondary"
              size="lg"
              loading={chosen === provider}
              disabled={chosen !== null && chosen !== provider}
              aria-label={t("continueWith", { provider: name(provider) })}
              onClick={() => leave(provider)}
            >
              {icon}
              {paired ? name(provider) : t("continueWith", { provider: name(provider) })}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
