import { useTranslations } from "next-intl";
import { CopyField } from "@/components/common/copy-field";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { AdministeredProvider } from "@/lib/features/auth-providers/schema";

/** The addresses that have to be entered in the provider's console. */
export function ProviderUris({ provider, redirectUri, cliRedirectUri, logoutUri }: AdministeredProvider) {
  const t = useTranslations("authProviders.configure.uris");
  const name = useTranslations("users.providers")(provider);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title", { provider: name })}</CardTitle>
        <CardDescription>{t("description")}</CardDescription>
      </CardHeader>
      <CardContent>
        <CopyField label={t("redirect")} value={redirectUri} />
        <CopyField label={t("logout")} value={logoutUri} />
        <div className="flex flex-col gap-1.5">
          <CopyField label={t("cli")} value={cliRedirectUri} />
          <p className="text-pretty text-muted-foreground text-xs leading-4.5">{t("cliHint")}</p>
        </div>
      </CardContent>
    </Card>
  );
}
