"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { DialogButton, type DialogButtonProps } from "@/components/common/dialog-button";
import { DialogPlace, DialogPlaceButton } from "@/components/common/dialog-place";
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

/** Renders the dialog that creates an API token beside a list, for the button of its empty state. */
export function CreateApiTokenPlace({ children }: { children: ReactNode }) {
  return (
    <DialogPlace dialog={(dialog, opener) => <CreateApiTokenDialog opener={opener} {...dialog} />}>
      {children}
    </DialogPlace>
  );
}

/** Opens the dialog of the surrounding `CreateApiTokenPlace`. */
export function CreateFirstApiTokenButton() {
  const t = useTranslations("apiTokens");
  return (
    <DialogPlaceButton>
      <Plus aria-hidden />
      {t("create")}
    </DialogPlaceButton>
  );
}

/**
 * The dialog that creates an API token, which the address of the page asks for. Render it also where the address does not: once the
 * dialog is open, the page is loaded again without the request.
 */
export function RequestedApiTokenDialog({ requested }: { requested: TokenStart | null }) {
  const opener = useRef<HTMLElement>(null);
  const state = useDialog();
  const [start, setStart] = useState(requested);
  if (requested !== null && requested !== start) setStart(requested);
  useRequestedDialog(requested ? "create-token" : undefined, state);
  return (
    <OpenedDialog state={state}>
      {(dialog) => <CreateApiTokenDialog opener={opener} {...start} {...dialog} />}
    </OpenedDialog>
  );
}
