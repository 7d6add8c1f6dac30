"use client";

import { UserRoundCog } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { useSignOut } from "./use-sign-out";

/** Signs out, so that somebody else can sign in and return to this page. */
export function SwitchAccountButton() {
  const t = useTranslations("shell.notFound");
  const { signOut, signingOut } = useSignOut({ returning: true });
  return (
    <Button variant="secondary" loading={signingOut} onClick={() => void signOut()}>
      <UserRoundCog aria-hidden />
      {t("switchAccount")}
    </Button>
  );
}
