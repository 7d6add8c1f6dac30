"use client";

import type { ReactNode } from "react";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";

export type RecordDialogProps = {
  title: string;
  description: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The dialog of one record. Use `OpenedRecord`, which loads it when a record is opened. */
export function RecordDialog({ title, description, open, onClose, children }: RecordDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent size="lg">
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        {/* It scrolls, so it can be focused. */}
        <DialogBody tabIndex={0} className="flex flex-col gap-5 pb-6">
          {children}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
