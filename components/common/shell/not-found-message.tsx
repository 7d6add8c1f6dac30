"use client";

import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { SwitchAccountButton } from "@/components/common/session/switch-account-button";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { MessagePage } from "./message-page";
import { PublicMessage } from "./public-message";
import type { ShellBrand } from "./types";

export type NotFoundMessageProps =
  /** The signed-in user, in the shell. */
  | { email: string; isAdmin: boolean }
  /** Outside the shell. */
  | { brand: ShellBrand };

/**
 * The not-found message, with a link to the start page. It is the same for what does not exist and for what the user has no
 * access to, so that it discloses nothing. Administrators have access to everything, so for them it does not exist.
 */
export function NotFoundMessage(props: NotFoundMessageProps) {
  const t = useTranslations("shell.notFound");
  const home = (
    <LinkButton href={PAGES.signIn} prefetch={false}>
      {t("action")}
    </LinkButton>
  );
  if ("brand" in props) {
    return (
      <PublicMessage brand={props.brand} icon={<Compass />} title={t("title")} description={t("description")}>
        {home}
      </PublicMessage>
    );
  }
  return (
    <MessagePage
      icon={<Compass />}
      title={t("title")}
      description={
        props.isAdmin ? (
          t("description")
        ) : (
          <>
            {t("account", { email: props.email })} {t("ask")}
          </>
        )
      }
      inShell
    >
      {home}
      {!props.isAdmin && <SwitchAccountButton />}
    </MessagePage>
  );
}
