"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";

const CreateApiTokenDialog = lazyDialog(() =>
  import("./create-api-token-dialog").then((file) => file.CreateApiTokenDialog),
);

/** Opens the dialog that creates an API token. */
export function CreateApiTokenButton() {
  const t = useTranslations("apiTokens");
  const button = useRef<HTMLButtonElement>(null);
  return (
    <DialogButton ref={button} dialog={(dialog) => <CreateApiTokenDialog opener={button} {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}
