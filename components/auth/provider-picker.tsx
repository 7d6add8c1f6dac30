"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useOperation } from "@/lib/client/use-operation";
import type { SsoProviderName } from "@/lib/features/auth-providers/schema";

export type ProviderPickerProps = {
  /** The enabled providers with their logos, which are rendered on the server to keep them out of the client bundle. */
  providers: { provider: SsoProviderName; icon: ReactNode }[];
  /** The path that was requested before the sign-in, already checked to be a path of this console. */
  next: string | null;
  className?: string;
};

/** Signs in with a provider: one button for each, which opens the provider's page. */
export function ProviderPicker({ providers, next, className }: ProviderPickerProps) {
  const t = useTranslations("auth.providers");
  const name = useTranslations("users.providers");
  const login = useOperation("auth/oauth-login");
  const [chosen, setChosen] = useState<SsoProviderName | null>(null);

  // A user who navigates back from the provider may see this page restored from the browser's cache.
  useEffect(() => {
    const reset = () => setChosen(null);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);

  if (providers.length === 0) return null;

  const startSignIn = async (provider: SsoProviderName) => {
    setChosen(provider);
    const result = await login.run({ provider, ...(next !== null && { redirectTo: next }) });
    if (result.ok) {
      window.location.assign(result.data.url);
      return;
    }
    setChosen(null);
  };

  // Three or more are arranged in two columns; an odd last one fills its row.
  const twoColumns = providers.length > 2;
  return (
    <ul aria-label={t("label")} className={cn("grid gap-3", twoColumns && "grid-cols-2", className)}>
      {providers.map(({ provider, icon }, index) => {
        const fullWidth = twoColumns && index === providers.length - 1 && index % 2 === 0;
        return (
          <li key={provider} className={cn("grid", fullWidth && "col-span-2")}>
            <Button
              variant="secondary"
              size="lg"
              loading={chosen === provider}
              disabled={chosen !== null && chosen !== provider}
              aria-label={t("continueWith", { provider: name(provider) })}
              onClick={() => startSignIn(provider)}
            >
              {icon}
              {twoColumns ? name(provider) : t("continueWith", { provider: name(provider) })}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
