"use client";

import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import { usePasskeySupport } from "@/components/passkeys/use-passkey-support";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { enterConsole } from "./enter-console";
import { usePasskeySignIn } from "./use-passkey-sign-in";

export type PasskeySignInProps = {
  /** The page that was wanted before the sign-in, already checked to be one of this console. */
  next: string | null;
};

/**
 * Signs in with a passkey. Nothing has to be typed: the browser knows which passkeys there are for this console, and
 * shows them at the press of the button or in the e-mail field.
 */
export function PasskeySignIn({ next }: PasskeySignInProps) {
  const t = useTranslations("auth.passkey");
  const support = usePasskeySupport();
  const { ask, pending, notice } = usePasskeySignIn({
    enabled: support === "available",
    onSignedIn: ({ user }) => enterConsole(user, next),
  });
  // Over plain HTTP nobody signs in at all, and the page says so.
  if (support === "insecure") return null;
  return (
    <div className="flex flex-col gap-3">
      <Button variant="secondary" size="lg" loading={pending} disabled={support === "missing"} onClick={ask}>
        <Fingerprint aria-hidden />
        {t("submit")}
      </Button>
      {support === "missing" && <p className="text-pretty text-muted-foreground text-sm leading-5">{t("missing")}</p>}
      {notice && <Alert tone={notice.tone === "failed" ? "danger" : "info"}>{notice.text}</Alert>}
    </div>
  );
}
