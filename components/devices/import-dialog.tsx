"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FileDrop } from "@/components/common/file-drop";
import type { DialogProps } from "@/components/common/use-dialog";
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
import type { OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";
import { MAX_IMPORT_LENGTH } from "@/lib/features/devices/schema";

type Chosen = {
  file: { name: string; size: number };
  text: string;
  result: OperationOutput<"devices/import-devices">;
};

/** Wrong lines that are shown; the number tells of the others. */
const SHOWN_LINES = 10;

/** Imports Apple's file of devices: says what it would do, and which lines are wrong, and then does it. */
export function ImportDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("devices");
  const common = useTranslations("common");
  const router = useRouter();
  const run = useOperation("devices/import-devices");
  const [chosen, setChosen] = useState<Chosen | null>(null);

  const read = async (file: File) => {
    const text = await file.text();
    const tried = await run.run({ text, dryRun: true });
    setChosen(tried.ok ? { file, text, result: tried.data } : null);
  };
  const add = async () => {
    if (!chosen) return;
    const done = await run.run({ text: chosen.text });
    if (!done.ok) return;
    notify.success(t("import.done", { count: done.data.added }));
    onOpenChange(false);
    router.refresh();
  };
  const result = chosen?.result;

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("import.title")}</DialogTitle>
          <DialogDescription>{t("import.description")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4">
          <FileDrop
            extensions={["txt", "tsv"]}
            maxBytes={MAX_IMPORT_LENGTH}
            file={chosen?.file ?? null}
            disabled={run.pending}
            onFile={(file) => void read(file)}
            onReject={() => notify.error(t("import.rejected"))}
          />
          {result && (
            <div role="status" className="flex flex-col gap-3">
              <p>{t("import.summary", { added: result.added, already: result.already, macs: result.macs })}</p>
              {result.invalid > 0 && (
                <Alert tone="danger" title={t("import.invalidTitle", { count: result.invalid })}>
                  <ul className="break-words">
                    {result.invalidLines.slice(0, SHOWN_LINES).map(({ line, problem }) => (
                      <li key={line}>{t(`import.problems.${problem}`, { line })}</li>
                    ))}
                  </ul>
                </Alert>
              )}
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {common("cancel")}
          </Button>
          <Button
            disabled={!result || result.added === 0 || result.invalid > 0}
            loading={run.pending}
            onClick={() => void add()}
          >
            {result && result.added > 0 ? t("import.submit", { count: result.added }) : t("import.action")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
