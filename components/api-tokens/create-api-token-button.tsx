"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";

const CreateApiTokenDialog = dynamic(
  () => import("./create-api-token-dialog").then((file) => file.CreateApiTokenDialog),
  { ssr: false },
);

/** Makes an API token. */
export function CreateApiTokenButton() {
  const t = useTranslations("apiTokens");
  const { opening, open, onOpenChange, show } = useDialog();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={button} onClick={show}>
        <Plus aria-hidden />
        {t("create")}
      </Button>
      {opening > 0 && <CreateApiTokenDialog key={opening} open={open} onOpenChange={onOpenChange} opener={button} />}
    </>
  );
}
