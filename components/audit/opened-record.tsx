"use client";

import { lazy, type ReactNode, Suspense, useState } from "react";
import { useNavigate } from "@/components/common/pending/navigation";

const RecordDialog = lazy(async () => ({ default: (await import("./record-dialog")).RecordDialog }));

export type OpenedRecordProps = {
  title: string;
  description: string;
  /** The address of the list without the record. */
  closeHref: string;
  children: ReactNode;
};

/** The record that the address names, in a dialog over the list. */
export function OpenedRecord({ closeHref, ...dialog }: OpenedRecordProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    navigate(closeHref, { scroll: false });
  };
  return (
    <Suspense>
      <RecordDialog {...dialog} open={open} onClose={close} />
    </Suspense>
  );
}
