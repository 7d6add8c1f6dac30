import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AuthShell } from "@/components/common/shell/auth-shell";
import { SecondFactorForm } from "@/components/two-factor/second-factor-form";
import { call, currentActor } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { startPath } from "@/lib/kernel/navigation/pages";
import { safePath } from "@/lib/kernel/navigation/safe-path";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { NEXT_PARAMETER, signInPath } from "@/lib/kernel/navigation/sign-in-paths";
import { isSecondFactorPending } from "@/lib/permissions/authorize";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("twoFactor.signIn");
  return { title: t("title") };
}

/** The second step of the sign-in, after any first factor. */
export default async function TwoFactorPage({ searchParams }: QueryPageProps) {
  const next = safePath((await searchParams)[NEXT_PARAMETER]);
  const actor = await currentActor();
  if (actor.kind !== "user") redirect(signInPath(next));
  if (!isSecondFactorPending(actor)) redirect(next ?? startPath(actor.isAdmin));
  const [t, brand, { user }] = await Promise.all([
    getTranslations("twoFactor.signIn"),
    call(getAppConfig, {}),
    call(getUserProfile, {}),
  ]);
  return (
    <AuthShell brand={brand} title={t("title")} description={t("description", { email: user.email })}>
      <SecondFactorForm user={user} next={next} />
    </AuthShell>
  );
}
