"use client";

import { UserRoundPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DialogButton, type DialogButtonProps } from "@/components/common/dialog-button";
import { DialogPlace, DialogPlaceButton } from "@/components/common/dialog-place";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { InviteDialogProps } from "./invite-dialog";

/** Loaded when it is opened for the first time. */
export const InviteDialog = lazyDialog(() => import("./invite-dialog").then((file) => file.InviteDialog));

export type InviteButtonProps = Omit<DialogButtonProps, "dialog" | "role"> & Pick<InviteDialogProps, "app" | "role">;

/** Opens the dialog that invites people; for administrators. */
export function InviteButton({ app, role, children, ...button }: InviteButtonProps) {
  return (
    <DialogButton {...button} dialog={(dialog) => <InviteDialog {...dialog} app={app} role={role} />}>
      {children ?? <Label />}
    </DialogButton>
  );
}

export type InvitePlaceProps = Pick<InviteDialogProps, "app" | "role"> & { children: ReactNode };

/** Renders the dialog that invites people beside a list, for the button of its empty state. */
export function InvitePlace({ app, role, children }: InvitePlaceProps) {
  return <DialogPlace dialog={(dialog) => <InviteDialog {...dialog} app={app} role={role} />}>{children}</DialogPlace>;
}

/** Opens the dialog of the surrounding `InvitePlace`. */
export function InviteFirstButton() {
  return (
    <DialogPlaceButton variant="secondary">
      <Label />
    </DialogPlaceButton>
  );
}

function Label() {
  const t = useTranslations("invite");
  return (
    <>
      <UserRoundPlus aria-hidden />
      {t("title")}
    </>
  );
}
