import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SetupForm } from "@/components/auth/setup-form";
import { LinkButton } from "@/components/common/link-button";
import { AuthShell } from "@/components/common/shell/auth-shell";
import { Alert } from "@/components/ui/alert";
import { call } from "@/lib/api/call";
import { getSetupState } from "@/lib/features/auth/operations/get-setup-state";
import { getSetupStateInput } from "@/lib/features/auth/schema";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("setup");
  return { title: t("title") };
}

export default async function SetupPage({ searchParams }: QueryPageProps) {
  const given = getSetupStateInput.safeParse({ token: (await searchParams).token });
  const token = (given.success && given.data.token) || "";
  const [t, brand, setup] = await Promise.all([
    getTranslations("setup"),
    call(getAppConfig, {}),
    call(getSetupState, { token }),
  ]);
  if (!setup.needed) {
    return (
      <AuthShell brand={brand} title={t("done.title")} description={t("done.description")}>
        <LinkButton href={PAGES.signIn} size="lg">
          {t("done.action")}
        </LinkButton>
      </AuthShell>
    );
  }
  if (!setup.linkValid) {
    return (
      <AuthShell brand={brand} title={t("invalidLink.title")}>
        <Alert tone="warning">{t("invalidLink.description")}</Alert>
      </AuthShell>
    );
  }
  return (
    <AuthShell brand={brand} title={t("title")} description={t("description")}>
      <SetupForm token={token} />
    </AuthShell>
  );
}
