"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { DialogButton } from "@/components/common/dialog-button";

const CreateApiTokenDialog = dynamic(
  () => import("./create-api-token-dialog").then((file) => file.CreateApiTokenDialog),
  { ssr: false },
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
