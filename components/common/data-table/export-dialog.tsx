"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
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
import { Progress } from "@/components/ui/progress";
import { downloadFile } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall } from "@/lib/client/use-operation";
import { saveFile } from "../save-file";
import type { DialogProps } from "../use-dialog";
import type { ExportablePath } from "./export-button";

export type ExportDialogProps = DialogProps & {
  path: ExportablePath;
  input: object;
  /** Number of rows; null if it is not known. */
  total: number | null;
  /** What a row is, if the rows are not those of the list. */
  description?: string;
};

const LINE_FEED = 10;
const QUOTE = 34;

/** Fetches the rows and saves them when the last one has arrived. Closing the dialog cancels the export. */
export function ExportDialog({ open, onOpenChange, path, input, total, description }: ExportDialogProps) {
  const t = useTranslations("common.table.export");
  const common = useTranslations("common");
  const [rows, setRows] = useState(0);
  const notified = useNotifiedCall();

  const run = useEffectEvent(async (signal: AbortSignal) => {
    // The first line of a CSV is the header.
    let lines = path === "config/download-audit-log" ? 0 : -1;
    // A quoted cell of a CSV may have several lines.
    let isQuoted = false;
    const onChunk = (chunk: Uint8Array) => {
      for (const byte of chunk) {
        if (byte === QUOTE && path !== "config/download-audit-log") isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines += 1;
      }
      setRows(Math.max(0, lines));
    };
    const file = await notified(() => downloadFile(path, input, { signal, onChunk }));
    if (signal.aborted) return;
    onOpenChange(false);
    if (file === null) return;
    saveFile(file, file.name);
    notify.success(t("done", { count: Math.max(0, lines) }));
  });

  useEffect(() => {
    const controller = new AbortController();
    run(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) throw error;
    });
    return () => controller.abort();
  }, []);

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="sm">
        <DialogHeader>
          <DialogTitle>{t("title")}</DialogTitle>
          <DialogDescription>
            {t("description")} {description}
          </DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-2 pb-4">
          <Progress
            label={t("title")}
            value={total === null ? null : Math.min(100, Math.round((rows / Math.max(1, total)) * 100))}
          />
          <p className="text-muted-foreground tabular-nums">
            {total === null ? t("rows", { count: rows }) : t("rowsOf", { count: rows, total: Math.max(rows, total) })}
          </p>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {common("cancel")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
