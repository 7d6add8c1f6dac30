"use client";

import { createContext, type ReactNode, type RefObject, useContext, useRef } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import type { RequestedDialog } from "@/lib/kernel/navigation/requested-dialog";
import { OpenedDialog } from "./opened-dialog";
import { useRequestedDialog } from "./requested-dialog";
import { type DialogProps, useDialog } from "./use-dialog";

type Place = { show: (button: HTMLButtonElement) => void; pending: boolean };

const PlaceContext = createContext<Place>({ show: () => {}, pending: false });

export type DialogPlaceProps = {
  /** The dialog, and the button that opened it. */
  dialog: (props: DialogProps, opener: RefObject<HTMLButtonElement | null>) => ReactNode;
  /** The name by which the address of the page asks for the dialog. */
  requestedAs?: RequestedDialog;
  children: ReactNode;
};

/**
 * Renders a dialog beside a list, for the `DialogPlaceButton` of its empty state. The empty state goes when the page is loaded again with
 * the first entry, for example because an upload ends, and a dialog in it would go too, with the secret that it shows once.
 */
export function DialogPlace({ dialog, requestedAs, children }: DialogPlaceProps) {
  const state = useDialog();
  const opener = useRef<HTMLButtonElement>(null);
  useRequestedDialog(requestedAs, state);
  const show = (button: HTMLButtonElement) => {
    opener.current = button;
    state.show();
  };
  return (
    <PlaceContext value={{ show, pending: state.pending }}>
      {children}
      <OpenedDialog state={state}>{(props) => dialog(props, opener)}</OpenedDialog>
    </PlaceContext>
  );
}

export type DialogPlaceButtonProps = Omit<ButtonProps, "onClick" | "asChild" | "type" | "loading">;

/** A button that opens the dialog of the surrounding `DialogPlace`. */
export function DialogPlaceButton(props: DialogPlaceButtonProps) {
  const { show, pending } = useContext(PlaceContext);
  return <Button {...props} loading={pending} onClick={(event) => show(event.currentTarget)} />;
}
