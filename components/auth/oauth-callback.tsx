"use client";

import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { LinkButton } from "@/components/common/link-button";
import { MessagePage } from "@/components/shell/message-page";
import { Spinner } from "@/components/ui/spinner";
import { useOperation } from "@/lib/client/use-operation";
import { enterConsole } from "./enter-console";

/** Says that nobody was signed in and why, and what to do where it happens again. */
export function OAuthFailed({ reason }: { reason: ReactNode }) {
  const t = useTranslations("oauthLogin");
  return (
    <MessagePage
      icon={<CircleAlert />}
      title={t("failed")}
      description={
        <>
          {reason} {t("support")}
        </>
      }
    >
      <LinkButton href="/" prefetch={false}>
        {t("home")}
      </LinkButton>
    </MessagePage>
  );
}

export type OAuthCallbackProps = {
  /** What the sign-in's callback was given in its address. */
  state: string;
};

/** Turns a finished sign-in by a provider into a session, and goes on to where the person wanted to be. */
export function OAuthCallback({ state }: OAuthCallbackProps) {
  const t = useTranslations("oauthLogin");
  const { run } = useOperation("auth/oauth-login-create-session", { quiet: true });
  const [failure, setFailure] = useState<string | null>(null);
  const asked = useRef(false);

  useEffect(() => {
    // The state opens one session: asked twice, the second answer would be that it is used up.
    if (asked.current) return;
    asked.current = true;
    run({ state }).then((result) => {
      if (result.ok) enterConsole(result.data.user, result.data.redirectTo);
      else setFailure(result.problem.detail);
    });
  }, [run, state]);

  if (failure !== null) return <OAuthFailed reason={failure} />;
  return (
    <MessagePage icon={<Spinner />} title={t("title")} description={t("description")}>
      {null}
    </MessagePage>
  );
}
