"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { usePasskeySupport } from "@/components/common/passkeys/use-passkey-support";

const AddPasskeyDialog = dynamic(() => import("./add-passkey-dialog").then((file) => file.AddPasskeyDialog), {
  ssr: false,
});

/** Opens the dialog that adds a passkey to the user's own account. */
export function AddPasskeyButton() {
  const t = useTranslations("passkeys");
  const support = usePasskeySupport();
  return (
    <DialogButton disabled={support !== "available"} dialog={(dialog) => <AddPasskeyDialog {...dialog} />}>
      <Plus aria-hidden />
      {t("add")}
    </DialogButton>
  );
}
