import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { AdministeredProvider } from "@/lib/features/auth-providers/schema";
import { providerPath } from "@/lib/kernel/navigation/pages";
import { ProviderSwitch } from "./provider-switch";
import { ProviderTile } from "./provider-tile";

/** All sign-in methods with their state and a switch. */
export function ProviderList({ providers }: { providers: readonly AdministeredProvider[] }) {
  const t = useTranslations("authProviders.enable");
  return (
    <Card className="max-w-3xl">
      <CardHeader className="border-border border-b pb-4">
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("description")}</CardDescription>
      </CardHeader>
      <ul className="divide-y divide-border">
        {providers.map((provider) => (
          <ProviderRow key={provider.provider} {...provider} />
        ))}
      </ul>
    </Card>
  );
}

function ProviderRow({ provider, enabled, configured }: AdministeredProvider) {
  const t = useTranslations("authProviders.enable");
  const name = useTranslations("users.providers")(provider);
  const explanation =
    provider === "email" ? t("email") : enabled ? t("inUse") : configured ? t("ready") : t("needsConfig");
  const descriptionId = `provider-${provider}`;
  return (
    <li className="flex items-center gap-3 px-4 py-3 lg:px-5">
      <ProviderTile provider={provider} />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          <ProviderBadge enabled={enabled} configured={configured} />
        </p>
        <p id={descriptionId} className="text-pretty text-muted-foreground text-xs leading-4.5">
          {explanation}
        </p>
      </div>
      {provider !== "email" && (
        <LinkButton
          href={providerPath(provider)}
          variant="ghost"
          size="sm"
          aria-label={t("configureProvider", { provider: name })}
          className="max-sm:px-1.5 text-muted-foreground"
        >
          {t("configure")}
        </LinkButton>
      )}
      <ProviderSwitch provider={provider} enabled={enabled} configured={configured} aria-describedby={descriptionId} />
    </li>
  );
}

/** Whether users can sign in with a provider, or why not. */
export function ProviderBadge({ enabled, configured }: Pick<AdministeredProvider, "enabled" | "configured">) {
  const t = useTranslations("authProviders.enable");
  if (enabled) return <Badge tone="success">{t("on")}</Badge>;
  return configured ? <Badge>{t("off")}</Badge> : <Badge tone="outline">{t("notConfigured")}</Badge>;
}
