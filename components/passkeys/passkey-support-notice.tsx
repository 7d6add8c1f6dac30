"use client";

import { useTranslations } from "next-intl";
import { Alert } from "@/components/ui/alert";
import { usePasskeySupport } from "./use-passkey-support";

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
