import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { RecoveryForm } from "@/components/auth/recovery-form";
import { AuthFrame } from "@/components/common/shell/auth-shell";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("recovery");
  return { title: t("title") };
}

export default async function PasswordRecoveryPage() {
  return (
    <AuthFrame brand={await call(getAppConfig, {})}>
      <RecoveryForm />
    </AuthFrame>
  );
}
