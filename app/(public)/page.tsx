import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LoginForm } from "@/components/auth/login-form";
import { ProviderPicker } from "@/components/auth/provider-picker";
import { ProviderIcon } from "@/components/common/auth-providers/provider-icon";
import { AuthShell } from "@/components/common/shell/auth-shell";
import { Alert } from "@/components/ui/alert";
import { call, currentActor } from "@/lib/api/call";
import { getSetupState } from "@/lib/features/auth/operations/get-setup-state";
import { getAuthProviders } from "@/lib/features/auth-providers/operations/get-auth-providers";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { isReleasePath, startPath } from "@/lib/kernel/navigation/pages";
import { safePath } from "@/lib/kernel/navigation/safe-path";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { EXPIRED_PARAMETER, NEXT_PARAMETER, secondFactorPath } from "@/lib/kernel/navigation/sign-in-paths";
import { isSecondFactorPending } from "@/lib/permissions/authorize";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("title") };
}

export default async function LoginPage({ searchParams }: QueryPageProps) {
  const parameters = await searchParams;
  const next = safePath(parameters[NEXT_PARAMETER]);
  const actor = await currentActor();
  if (actor.kind === "user") {
    redirect(isSecondFactorPending(actor) ? secondFactorPath(next) : (next ?? startPath(actor.isAdmin)));
  }

  const [t, brand, setup, { items }] = await Promise.all([
    getTranslations("auth"),
    call(getAppConfig, {}),
    call(getSetupState, {}),
    call(getAuthProviders, {}),
  ]);
  const providers = items.flatMap(({ provider, enabled }) =>
    enabled && provider !== "email" ? [{ provider, icon: <ProviderIcon provider={provider} /> }] : [],
  );
  const emailEnabled = items.some(({ provider, enabled }) => enabled && provider === "email");
  const expired = parameters[EXPIRED_PARAMETER] !== undefined;
  const notice = setup.needed ? (
    <Alert title={t("setupNeeded.title")}>{t("setupNeeded.description")}</Alert>
  ) : expired ? (
    <Alert title={t("expired.title")}>{t("expired.description")}</Alert>
  ) : undefined;
  return (
    <AuthShell
      brand={brand}
      title={t("title")}
      description={t(next && isReleasePath(next) ? "releaseDescription" : "description", { name: brand.name })}
      notice={notice}
    >
      <LoginForm email={emailEnabled} next={next} />
      <ProviderPicker providers={providers} next={next} className="-mt-3" />
    </AuthShell>
  );
}
