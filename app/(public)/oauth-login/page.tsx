import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { OAuthCallback, OAuthFailed } from "@/components/auth/oauth-callback";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { signInFailureSchema } from "@/lib/features/sso/schema";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const t = await getTranslations("oauthLogin");
  return { title: t((await searchParams).error === undefined ? "title" : "failed") };
}

/** The page to which a sign-in with a provider returns. */
export default async function OAuthLoginPage({ searchParams }: QueryPageProps) {
  const { state, error } = await searchParams;
  const brand = await call(getAppConfig, {});
  if (typeof state === "string" && error === undefined) return <OAuthCallback brand={brand} state={state} />;
  const t = await getTranslations("oauthLogin.errors");
  return <OAuthFailed brand={brand} reason={t(signInFailureSchema.parse(error))} />;
}
