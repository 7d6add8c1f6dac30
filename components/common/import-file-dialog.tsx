"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { notify } from "@/lib/client/notify";
import { FileDrop } from "./file-drop";
import { useGuardedClose } from "./guarded-close";
import type { DialogProps } from "./use-dialog";

export type ImportFileDialogProps<Result> = DialogProps & {
  title: string;
  description: string;
  /** Of the files that can be chosen. */
  extensions: readonly string[];
  maxBytes: number;
  /** Says that a file of another type or size was chosen. */
  rejected: string;
  /** Whether a call is under way. */
  pending: boolean;
  /** Imports a text, or tells with `dryRun` what that would do. Null if the call failed, which was notified. */
  onImport: (text: string, dryRun: boolean) => Promise<Result | null>;
  /** What the import would do, and what is wrong in the file. */
  preview: (result: Result) => ReactNode;
  canSubmit: (result: Result) => boolean;
  submitLabel: (result: Result | undefined) => string;
  /** Says what was imported. */
  done: (result: Result) => string;
};

/** Imports a text file: tells what it would do, and then does it. */
export function ImportFileDialog<Result>({
  open,
  onOpenChange,
  title,
  description,
  extensions,
  maxBytes,
  rejected,
  pending,
  onImport,
  preview,
  canSubmit,
  submitLabel,
  done,
}: ImportFileDialogProps<Result>) {
  const common = useTranslations("common");
  const router = useRouter();
  const [chosen, setChosen] = useState<{ file: File; text: string; result: Result } | null>(null);

  const [reading, setReading] = useState(false);
  const busy = reading || pending;
  const close = useGuardedClose({ open, onOpenChange, unsaved: chosen !== null, busy });

  const read = async (file: File) => {
    // Until it is known what the file does, no other one is read, and the one before is not imported.
    setReading(true);
    try {
      const text = await file.text();
      const result = await onImport(text, true);
      setChosen(result && { file, text, result });
    } finally {
      setReading(false);
    }
  };
  const add = async ({ text }: { text: string }) => {
    const result = await onImport(text, false);
    if (!result) return;
    notify.success(done(result));
    onOpenChange(false);
    router.refresh();
  };

  return (
    <Dialog open={open} onOpenChange={close.onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4">
          <FileDrop
            extensions={extensions}
            maxBytes={maxBytes}
            file={chosen?.file ?? null}
            disabled={busy}
            onFile={(file) => void read(file)}
            onReject={() => notify.error(rejected)}
          />
          {chosen && (
            <div role="status" className="flex flex-col gap-3">
              {preview(chosen.result)}
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={close.requestClose}>
            {common("cancel")}
          </Button>
          <Button
            disabled={!chosen || !canSubmit(chosen.result)}
            loading={busy}
            onClick={() => chosen && void add(chosen)}
          >
            {submitLabel(chosen?.result)}
          </Button>
        </DialogFooter>
        {close.confirmation}
      </DialogContent>
    </Dialog>
  );
}

/** Wrong lines that are shown; the title tells how many there are. */
const SHOWN_LINES = 10;

export type WrongLinesProps = {
  tone: "danger" | "warning";
  title: string;
  lines: readonly { line: number; text: string }[];
};

/** What is wrong in a file. */
export function WrongLines({ tone, title, lines }: WrongLinesProps) {
  return (
    <Alert tone={tone} title={title}>
      <ul className="break-words">
        {lines.slice(0, SHOWN_LINES).map(({ line, text }) => (
          <li key={line}>{text}</li>
        ))}
      </ul>
    </Alert>
  );
}
