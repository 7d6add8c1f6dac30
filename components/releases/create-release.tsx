"use client";

import { Upload } from "lucide-react";
import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useRequestedDialog } from "@/components/common/requested-dialog";
import { PageDrop } from "@/components/common/upload/page-drop";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { whenIdle } from "@/lib/client/when-idle";
import type { ReleasePlace } from "./create-release-dialog";

// Loaded with the first press or file: the form, the reader of installers and the uploader.
const CreateReleaseDialog = lazyDialog(() =>
  import("./create-release-dialog").then((module) => module.CreateReleaseDialog),
);

const ShowContext = createContext<() => void>(() => undefined);

/**
 * A page on which releases are published. It renders the dialog, which outlives the button that opened it, and accepts
 * installers that are dropped anywhere on the page.
 */
export function CreateRelease({ place, children }: { place: ReleasePlace; children: ReactNode }) {
  const t = useTranslations("upload");
  const dialog = useDialog();
  const { show } = dialog;
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
  useRequestedDialog(`upload ${place.environment.id}`, begin);

  // A file that another app shared with the installed console.
  useEffect(() => {
    let left = false;
    const cancel = whenIdle(async () => {
      const { takeSharedFile } = await import("@/lib/client/worker/shared-file");
      const file = await takeSharedFile();
      if (file && !left) take(file);
    });
    return () => {
      left = true;
      cancel();
    };
  }, [take]);

  return (
    <ShowContext value={begin}>
      {children}
      <PageDrop label={t("dropHere", { environment: place.environment.name })} disabled={dialog.open} onFile={take} />
      <OpenedDialog state={dialog}>
        {(props) => <CreateReleaseDialog place={place} firstFile={dropped} onAnother={begin} {...props} />}
      </OpenedDialog>
    </ShowContext>
  );
}

/** Opens the dialog of the surrounding `CreateRelease`. */
export function CreateReleaseButton({ label }: { label?: string }) {
  const t = useTranslations("upload");
  return (
    <Button onClick={useContext(ShowContext)}>
      <Upload aria-hidden />
      {label ?? t("action")}
    </Button>
  );
}
