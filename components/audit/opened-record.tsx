"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, Suspense, useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { LoadBoundary, useLoadFailureNotice } from "@/components/common/lazy-part";
import { useNavigate } from "@/components/common/pending/navigation";

const RecordDialog = lazyDialog(() => import("./record-dialog").then((file) => file.RecordDialog));

export type OpenedRecordProps = {
  title: string;
  description: string;
  /** The address of the list without the record. */
  closeHref: string;
  children: ReactNode;
};

/** The record that the address names, in a dialog over the list. */
export function OpenedRecord({ closeHref, ...dialog }: OpenedRecordProps) {
  const t = useTranslations("common.dialogNotLoaded");
  const navigate = useNavigate();
  const notifyFailure = useLoadFailureNotice();
  const [open, setOpen] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const close = () => {
    setOpen(false);
    navigate(closeHref, { scroll: false });
  };
  const failed = () => notifyFailure(t("title"), () => setAttempt((current) => current + 1));
  return (
    <LoadBoundary key={attempt} onFailed={failed}>
      <Suspense>
        <RecordDialog {...dialog} open={open} onClose={close} />
      </Suspense>
    </LoadBoundary>
  );
}
