"use client";

import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { LinkButton } from "@/components/common/link-button";
import { enterConsole } from "@/components/common/session/enter-console";
import { PublicMessage } from "@/components/common/shell/public-message";
import type { ShellBrand } from "@/components/common/shell/types";
import { Spinner } from "@/components/ui/spinner";
import { useOperation } from "@/lib/client/use-operation";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** Says that the sign-in failed and why, and what to do if it happens again. */
export function OAuthFailed({ brand, reason }: { brand: ShellBrand; reason: ReactNode }) {
  const t = useTranslations("oauthLogin");
  return (
    <PublicMessage
      brand={brand}
      icon={<CircleAlert />}
      title={t("failed")}
      description={
        <>
          {reason} {t("support")}
        </>
      }
    >
      <LinkButton href={PAGES.signIn} prefetch={false}>
        {t("home")}
      </LinkButton>
    </PublicMessage>
  );
}

export type OAuthCallbackProps = {
  brand: ShellBrand;
  /** The parameters of the sign-in callback's URL. */
  state: string;
};

/** Turns a sign-in that a provider has completed into a session, and opens the requested page. */
export function OAuthCallback({ brand, state }: OAuthCallbackProps) {
  const t = useTranslations("oauthLogin");
  const { run } = useOperation("auth/oauth-login-create-session", { quiet: true });
  const [failure, setFailure] = useState<string | null>(null);
  const requested = useRef(false);

  useEffect(() => {
    // A state opens only one session; a second request would fail because the state is used.
    if (requested.current) return;
    requested.current = true;
    run({ state }).then((result) => {
      if (result.ok) enterConsole(result.data.user, result.data.redirectTo);
      else setFailure(result.problem.detail);
    });
  }, [run, state]);

  if (failure !== null) return <OAuthFailed brand={brand} reason={failure} />;
  return (
    <PublicMessage brand={brand} icon={<Spinner />} title={t("title")} description={t("description")}>
      {null}
    </PublicMessage>
  );
}
