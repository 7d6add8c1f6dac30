import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { CopyField } from "@/components/common/copy-field";
import { LinkButton } from "@/components/common/link-button";
import { AuthShell } from "@/components/common/shell/auth-shell";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { PAGES } from "@/lib/kernel/navigation/pages";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("httpsGuide");
  return { title: t("title") };
}

/** A command for a reverse proxy that obtains and renews its certificate. */
const PROXY = "caddy reverse-proxy --from console.example.com --to :3000";
/** The console's settings behind that proxy. */
const SETTINGS = ["APP_URL=https://console.example.com", "TRUSTED_PROXIES=127.0.0.1"];

export default async function HttpsGuidePage() {
  const [t, brand] = await Promise.all([getTranslations("httpsGuide"), call(getAppConfig, {})]);
  const code = (text: ReactNode) => <code className="whitespace-nowrap font-mono text-[0.8125rem]">{text}</code>;
  return (
    <AuthShell brand={brand} title={t("title")} description={t("why")}>
      <ol className="flex list-decimal flex-col gap-5 pl-5 marker:text-muted-foreground">
        <li>
          <p className="mb-2 text-pretty leading-5">{t("proxy")}</p>
          <CopyField label={t("proxyLabel")} value={PROXY} hideLabel />
        </li>
        <li>
          <p className="mb-2 text-pretty leading-5">{t("settings")}</p>
          <div className="flex flex-col gap-1.5">
            {SETTINGS.map((setting) => (
              <CopyField key={setting} label={t("settingsLabel")} value={setting} hideLabel />
            ))}
          </div>
        </li>
        <li className="text-pretty leading-5">{t("open")}</li>
      </ol>
      <div className="flex flex-col gap-2 text-pretty text-muted-foreground leading-5">
        <p>{t.rich("docker", { code })}</p>
        <p>{t.rich("lan", { code })}</p>
        <p>{t.rich("local", { code })}</p>
      </div>
      <LinkButton href={PAGES.signIn} variant="secondary" size="lg">
        {t("back")}
      </LinkButton>
    </AuthShell>
  );
}
