"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { usePasskeySupport } from "./use-passkey-support";

const AddPasskeyDialog = dynamic(() => import("./add-passkey-dialog").then((file) => file.AddPasskeyDialog), {
  ssr: false,
});

/** Adds a passkey to one's own account. */
export function AddPasskeyButton() {
  const t = useTranslations("passkeys");
  const support = usePasskeySupport();
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show} disabled={support !== "available"}>
        <Plus aria-hidden />
        {t("add")}
      </Button>
      {opening > 0 && <AddPasskeyDialog key={opening} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}
