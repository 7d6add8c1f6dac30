"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { ButtonProps } from "@/components/ui/button";
import type { TokenPlace, TokenPurpose } from "./token-place";

const CreateApiTokenDialog = lazyDialog(() =>
  import("./create-api-token-dialog").then((file) => file.CreateApiTokenDialog),
);

export type CreateApiTokenButtonProps = Pick<ButtonProps, "variant" | "size" | "className"> & {
  /** What the token is for, if the page says so. The dialog then starts with it. */
  place?: TokenPlace;
  /** Who uses the token. */
  purpose?: TokenPurpose;
};

/** Opens the dialog that creates an API token. */
export function CreateApiTokenButton({ place, purpose, ...props }: CreateApiTokenButtonProps) {
  const t = useTranslations("apiTokens");
  const button = useRef<HTMLButtonElement>(null);
  return (
    <DialogButton
      {...props}
      ref={button}
      dialog={(dialog) => <CreateApiTokenDialog opener={button} place={place} purpose={purpose} {...dialog} />}
    >
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}
