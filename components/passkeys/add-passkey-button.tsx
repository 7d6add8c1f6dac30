"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { usePasskeySupport } from "@/components/common/passkeys/use-passkey-support";

const AddPasskeyDialog = lazyDialog(() => import("./add-passkey-dialog").then((file) => file.AddPasskeyDialog));

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
