"use client";

import { UserRoundPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton, type DialogButtonProps } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { InviteDialogProps } from "./invite-dialog";

/** Loaded when it is opened for the first time. */
export const InviteDialog = lazyDialog(() => import("./invite-dialog").then((file) => file.InviteDialog));

export type InviteButtonProps = Omit<DialogButtonProps, "dialog" | "role"> & Pick<InviteDialogProps, "app" | "role">;

/** Opens the dialog that invites people; for administrators. */
export function InviteButton({ app, role, children, ...button }: InviteButtonProps) {
  const t = useTranslations("invite");
  return (
    <DialogButton {...button} dialog={(dialog) => <InviteDialog {...dialog} app={app} role={role} />}>
      {children ?? (
        <>
          <UserRoundPlus aria-hidden />
          {t("title")}
        </>
      )}
    </DialogButton>
  );
}
