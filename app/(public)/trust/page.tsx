import type { Metadata } from "next";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { CopyField } from "@/components/common/copy-field";
import { AuthShell } from "@/components/common/shell/auth-shell";
import { TrustCheck } from "@/components/trust/trust-check";
import { trustDeviceOf } from "@/components/trust/trust-device";
import { TrustSteps } from "@/components/trust/trust-steps";
import { Alert } from "@/components/ui/alert";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { getTrust } from "@/lib/features/trust/operations/get-trust";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("trust");
  return { title: t("title") };
}

/** Walks a device through trusting a console that was started with `npm start -- --lan`. */
export default async function TrustPage() {
  const [t, brand, trust, requestHeaders] = await Promise.all([
    getTranslations("trust"),
    call(getAppConfig, {}),
    call(getTrust, {}),
    headers(),
  ]);
  return (
    <AuthShell brand={brand} title={t("title")} description={t("description", { brand: brand.name })}>
      {trust.isAddress && <Alert tone="info">{t("address")}</Alert>}
      <TrustSteps trust={trust} device={trustDeviceOf(requestHeaders.get("user-agent"))} />
      <TrustCheck url={trust.url} />
      <div className="flex flex-col gap-2 border-border border-t pt-5 text-muted-foreground">
        <CopyField label={t("fingerprint")} value={trust.fingerprint} />
        <p className="text-pretty leading-5">{t("fingerprintHint")}</p>
        <p className="text-pretty leading-5">{t("limits", { names: trust.hosts.join(", ") })}</p>
      </div>
    </AuthShell>
  );
}
