"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { DialogButton, type DialogButtonProps } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useRequestedDialog } from "@/components/common/requested-dialog";
import { useDialog } from "@/components/common/use-dialog";
import type { TokenPlace, TokenPurpose } from "./token-place";

const CreateApiTokenDialog = lazyDialog(() =>
  import("./create-api-token-dialog").then((file) => file.CreateApiTokenDialog),
);

type TokenStart = {
  /** What the token is for. The dialog then starts with it. */
  place?: TokenPlace;
  /** Who uses the token. */
  purpose?: TokenPurpose;
};

export type CreateApiTokenButtonProps = Pick<DialogButtonProps, "variant" | "requestedAs"> &
  TokenStart & {
    /** Receives the token once it was created. */
    onCreated?: (token: string) => void;
  };

/** Opens the dialog that creates an API token; for administrators. */
export function CreateApiTokenButton({ place, purpose, onCreated, ...props }: CreateApiTokenButtonProps) {
  const t = useTranslations("apiTokens");
  const button = useRef<HTMLButtonElement>(null);
  return (
    <DialogButton
      {...props}
      ref={button}
      dialog={(dialog) => (
        <CreateApiTokenDialog opener={button} place={place} purpose={purpose} onCreated={onCreated} {...dialog} />
      )}
    >
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** The dialog that creates an API token, which the address of the page asks for. */
export function RequestedApiTokenDialog({ place, purpose }: TokenStart) {
  const opener = useRef<HTMLElement>(null);
  const state = useDialog();
  useRequestedDialog("create-token", state);
  return (
    <OpenedDialog state={state}>
      {(dialog) => <CreateApiTokenDialog opener={opener} place={place} purpose={purpose} {...dialog} />}
    </OpenedDialog>
  );
}
