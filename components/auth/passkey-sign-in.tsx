"use client";

import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import { usePasskeySupport } from "@/components/common/passkeys/use-passkey-support";
import { enterConsole } from "@/components/common/session/enter-console";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { usePasskeySignIn } from "./use-passkey-sign-in";

export type PasskeySignInProps = {
  /** The path that was requested before the sign-in, already checked to be a path of this console. */
  next: string | null;
};

/**
 * Signs in with a passkey. The user does not type anything: the browser knows the passkeys for this console and offers
 * them when the button is pressed or in the email field.
 */
export function PasskeySignIn({ next }: PasskeySignInProps) {
  const t = useTranslations("auth.passkey");
  const support = usePasskeySupport();
  const { ask, pending, notice } = usePasskeySignIn({
    enabled: support === "available",
    onSignedIn: ({ user }) => enterConsole(user, next),
  });
  // Over plain HTTP, sign-in is not possible, and the page says so elsewhere. A passkey cannot belong to an IP address.
  if (support === "insecure" || support === "address") return null;
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
