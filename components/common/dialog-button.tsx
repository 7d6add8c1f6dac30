"use client";

import { Button, type ButtonProps } from "@/components/ui/button";
import type { RequestedDialog } from "@/lib/kernel/navigation/requested-dialog";
import { OpenedDialog, type OpenedDialogProps } from "./opened-dialog";
import { useRequestedDialog } from "./requested-dialog";
import { RowButton, type RowButtonProps } from "./row-button";
import { useDialog } from "./use-dialog";

type WithDialog = { dialog: OpenedDialogProps["children"] };

export type DialogButtonProps = Omit<ButtonProps, "onClick" | "asChild" | "type" | "loading"> &
  WithDialog & {
    /** The name by which the address of the page asks for the dialog. */
    requestedAs?: RequestedDialog;
  };

/** A button that opens a dialog. */
export function DialogButton({ dialog, requestedAs, ...button }: DialogButtonProps) {
  const state = useDialog();
  useRequestedDialog(requestedAs, state);
  return (
    <>
      <Button {...button} loading={state.pending} onClick={state.show} />
      <OpenedDialog state={state}>{dialog}</OpenedDialog>
    </>
  );
}

export type RowDialogButtonProps = Omit<RowButtonProps, "onClick" | "type" | "loading"> & WithDialog;

/** A button at the end of a row that opens a dialog. */
export function RowDialogButton({ dialog, ...button }: RowDialogButtonProps) {
  const state = useDialog();
  return (
    <>
      <RowButton {...button} loading={state.pending} onClick={state.show} />
      <OpenedDialog state={state}>{dialog}</OpenedDialog>
    </>
  );
}
