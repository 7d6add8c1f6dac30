import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ToolApproval } from "@/components/auth/tool-approval";
import { LinkButton } from "@/components/common/link-button";
import { SecondFactorGate } from "@/components/common/second-factor/second-factor-gate";
import { AuthShell } from "@/components/common/shell/auth-shell";
import { PublicMessage } from "@/components/common/shell/public-message";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { getToolSignIn } from "@/lib/features/tool-sign-in/operations/get-tool-sign-in";
import { toolSignInInput } from "@/lib/features/tool-sign-in/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("toolSignIn");
  return { title: t("title") };
}

/** The page that `slipway login` opens, and to which the tool sends the browser when it has its answer. */
export default async function AuthorizeToolPage({ searchParams }: QueryPageProps) {
  const parameters = await searchParams;
  const [t, brand] = await Promise.all([getTranslations("toolSignIn"), call(getAppConfig, {})]);
  if (parameters.result === "done" || parameters.result === "denied") {
    const done = parameters.result === "done";
    return (
      <PublicMessage
        brand={brand}
        icon={done ? <CircleCheck /> : <CircleX />}
        title={t(done ? "doneTitle" : "deniedTitle")}
        description={t(done ? "doneDescription" : "deniedDescription")}
      >
        <LinkButton href={PAGES.home} prefetch={false} variant="secondary">
          {t("home")}
        </LinkButton>
      </PublicMessage>
    );
  }
  const input = toolSignInInput.safeParse(parameters);
  if (!input.success) {
    return (
      <PublicMessage
        brand={brand}
        icon={<CircleAlert />}
        title={t("invalidTitle")}
        description={t.rich("invalidDescription", { code: (text) => <code>{text}</code> })}
      >
        <LinkButton href={PAGES.home} prefetch={false} variant="secondary">
          {t("home")}
        </LinkButton>
      </PublicMessage>
    );
  }
  const request = await call(getToolSignIn, input.data);
  return (
    <AuthShell brand={brand} title={t("title")} description={t("description", { email: request.email })}>
      <SecondFactorGate />
      <ToolApproval input={input.data} request={request} />
    </AuthShell>
  );
}
