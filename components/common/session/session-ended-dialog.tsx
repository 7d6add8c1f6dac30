"use client";

import { useTranslations } from "next-intl";
import {
  AlertDialog,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

export type SessionEndedDialogProps = {
  open: boolean;
  /** The user who has to sign in again. */
  email: string;
  onSignIn: () => void;
  onLeave: () => void;
};

/** Hides a page with unsent input after its session has ended, until the user has signed in again. */
export function SessionEndedDialog({ open, email, onSignIn, onLeave }: SessionEndedDialogProps) {
  const t = useTranslations("session.ended");
  return (
    <AlertDialog open={open}>
      <AlertDialogContent opaque onEscapeKeyDown={(event) => event.preventDefault()}>
        <div className="flex flex-col gap-1.5">
          <AlertDialogTitle>{t("title")}</AlertDialogTitle>
          <AlertDialogDescription>{t("description", { email })}</AlertDialogDescription>
        </div>
        <AlertDialogFooter>
          <Button variant="secondary" onClick={onLeave}>
            {t("leave")}
          </Button>
          <Button onClick={onSignIn}>{t("signIn")}</Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
