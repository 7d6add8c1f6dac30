import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ExpiredLink } from "@/components/auth/expired-link";
import { ResetPasswordForm } from "@/components/auth/reset-password-form";
import { AuthFrame } from "@/components/common/shell/auth-shell";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { getPasswordLink } from "@/lib/features/passwords/operations/get-password-link";
import { getPasswordLinkInput } from "@/lib/features/passwords/schema";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("resetPassword");
  // The URL contains the token, so it must not be sent as referrer.
  return { title: t("title"), referrer: "no-referrer" };
}

export default async function ResetPasswordPage({ searchParams }: QueryPageProps) {
  const given = getPasswordLinkInput.safeParse({ token: (await searchParams).token });
  const [brand, link] = await Promise.all([
    call(getAppConfig, {}),
    given.success ? call(getPasswordLink, given.data) : null,
  ]);
  return (
    <AuthFrame brand={brand}>
      {given.success && link?.purpose && link.email ? (
        <ResetPasswordForm
          token={given.data.token}
          email={link.email}
          welcomeTo={link.purpose === "invitation" ? brand.name : undefined}
        />
      ) : (
        <ExpiredLink />
      )}
    </AuthFrame>
  );
}
