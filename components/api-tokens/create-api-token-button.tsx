"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDialog } from "@/components/common/use-dialog";
import type { ButtonProps } from "@/components/ui/button";
import { TOKENS_PATH } from "@/lib/kernel/navigation/pages";
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

export type CreateApiTokenButtonProps = Pick<ButtonProps, "variant" | "size" | "className"> & TokenStart;

/** Opens the dialog that creates an API token; for administrators. */
export function CreateApiTokenButton({ place, purpose, ...props }: CreateApiTokenButtonProps) {
  const t = useTranslations("apiTokens");
  const button = useRef<HTMLButtonElement>(null);
  return (
    <DialogButton
      {...props}
      ref={button}
      requestedAs="tokens/create"
      dialog={(dialog) => <CreateApiTokenDialog opener={button} place={place} purpose={purpose} {...dialog} />}
    >
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** Opens the dialog that creates an API token, because the page's URL asks for it. The URL then becomes the tab's. */
export function OpenedApiTokenDialog({ place, purpose }: TokenStart) {
  const opener = useRef<HTMLElement>(null);
  const state = useDialog();
  const { show } = state;
  useEffect(() => {
    // So that a reload does not open it again. The page stays as it is until its list is refreshed.
    window.history.replaceState(null, "", TOKENS_PATH);
    show();
  }, [show]);
  return (
    <OpenedDialog state={state}>
      {(dialog) => <CreateApiTokenDialog opener={opener} place={place} purpose={purpose} {...dialog} />}
    </OpenedDialog>
  );
}
