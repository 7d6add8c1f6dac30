"use client";

import { useTranslations } from "next-intl";
import { usePasskeySupport } from "@/components/common/passkeys/use-passkey-support";
import { Alert } from "@/components/ui/alert";

/** Says why passkeys cannot be created here; renders nothing if they can. */
export function PasskeySupportNotice() {
  const t = useTranslations("passkeys.support");
  const support = usePasskeySupport();
  if (support === "available") return null;
  return (
    <Alert tone="warning" title={t(`${support}.title`)}>
      {t(`${support}.description`)}
    </Alert>
  );
}
