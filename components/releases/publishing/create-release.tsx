"use client";

import { Upload } from "lucide-react";
import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useRequestedDialog } from "@/components/common/requested-dialog";
import { PageDrop } from "@/components/common/upload/page-drop";
import { useDialog } from "@/components/common/use-dialog";
import { Button, type ButtonProps } from "@/components/ui/button";
import { whenIdle } from "@/lib/client/when-idle";
import type { CreateReleaseDialogProps } from "./create-release-dialog";
import type { ReleasePlace } from "./use-publishing";

// Loaded with the first press or file: the form, the reader of installers and the uploader; and the panel that shows the
// upload while the dialog is closed, so that no code is missing when the connection is lost.
const CreateReleaseDialog = lazyDialog(async () => {
  const [dialog] = await Promise.all([import("./create-release-dialog"), import("./publishing-panel")]);
  return dialog.CreateReleaseDialog;
});

const ShowContext = createContext<() => void>(() => undefined);

export type CreateReleaseProps = {
  /** The environment; null if the application and the environment are found by the installer. */
  place: ReleasePlace | null;
  children: ReactNode;
};

/**
 * A page on which releases are published. It renders the dialog, which outlives the button that opened it, and accepts
 * installers that are dropped anywhere on the page.
 */
export function CreateRelease({ place, children }: CreateReleaseProps) {
  const t = useTranslations("upload");
  const dialog = useDialog();
  const { show, onOpenChange } = dialog;
  const [dropped, setDropped] = useState<File | null>(null);

  const take = useCallback(
    (file: File) => {
      setDropped(file);
      show();
    },
    [show],
  );

  const begin = useCallback(() => {
    setDropped(null);
    show();
  }, [show]);
  useRequestedDialog("upload", { open: dialog.open, show: begin });

  // A file that another app shared with the installed console.
  useEffect(() => {
    let left = false;
    const cancel = whenIdle(async () => {
      const { keepSharedFile, takeSharedFile } = await import("@/lib/client/worker/shared-file");
      if (left) return;
      const file = await takeSharedFile();
      if (!file) return;
      // The page that is opened instead takes it.
      if (left) await keepSharedFile(file);
      else take(file);
    });
    return () => {
      left = true;
      cancel();
    };
  }, [take]);

  const beginAnother = useCallback(() => {
    onOpenChange(false);
    begin();
  }, [onOpenChange, begin]);

  const props: Omit<CreateReleaseDialogProps, "open" | "onOpenChange"> = {
    place,
    firstFile: dropped,
    onAnother: beginAnother,
  };
  return (
    <ShowContext value={begin}>
      {children}
      <PageDrop
        label={place ? t("dropHere", { environment: place.environment.name }) : t("dropAnywhere")}
        disabled={dialog.open}
        onFile={take}
      />
      <OpenedDialog state={dialog}>{(state) => <CreateReleaseDialog {...props} {...state} />}</OpenedDialog>
    </ShowContext>
  );
}

export type CreateReleaseButtonProps = Pick<ButtonProps, "variant"> & { label?: string };

/** Opens the dialog of the surrounding `CreateRelease`. */
export function CreateReleaseButton({ label, variant }: CreateReleaseButtonProps) {
  const t = useTranslations("upload");
  return (
    <Button variant={variant} onClick={useContext(ShowContext)}>
      <Upload aria-hidden />
      {label ?? t("action")}
    </Button>
  );
}
