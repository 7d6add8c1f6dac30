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
import { MAX_IMPORT_LENGTH } from "@/lib/features/testers/schema";

type Chosen = {
  file: { name: string; size: number };
  csv: string;
  result: OperationOutput<"testers/import-tester-group-members">;
};

/** Wrong rows that are shown; the number tells of the others. */
const SHOWN_ROWS = 10;

/** Imports members of a group of testers: says what a file would do, and then does it. */
export function ImportMembersDialog({
  group,
  open,
  onOpenChange,
}: DialogProps & { group: { id: string; name: string } }) {
  const t = useTranslations("testers");
  const common = useTranslations("common");
  const router = useRouter();
  const run = useOperation("testers/import-tester-group-members");
  const [chosen, setChosen] = useState<Chosen | null>(null);

  const read = async (file: File) => {
    const csv = await file.text();
    const tried = await run.run({ groupId: group.id, csv, dryRun: true });
    setChosen(tried.ok ? { file, csv, result: tried.data } : null);
  };
  const add = async () => {
    if (!chosen) return;
    const done = await run.run({ groupId: group.id, csv: chosen.csv });
    if (!done.ok) return;
    notify.success(t("added", { added: done.data.added }));
    onOpenChange(false);
    router.refresh();
  };

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("import.title", { name: group.name })}</DialogTitle>
          <DialogDescription>{t("import.description")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4">
          <FileDrop
            extensions={["csv", "txt", "tsv"]}
            maxBytes={MAX_IMPORT_LENGTH}
            file={chosen?.file ?? null}
            disabled={run.pending}
            onFile={(file) => void read(file)}
            onReject={() => notify.error(t("import.rejected"))}
          />
          {chosen && (
            <div role="status" className="flex flex-col gap-3">
              <p>{t("import.summary", { added: chosen.result.added, already: chosen.result.already })}</p>
              {chosen.result.invalid > 0 && (
                <Alert tone="warning" title={t("import.invalidTitle", { count: chosen.result.invalid })}>
                  <ul className="break-words">
                    {chosen.result.invalidRows.slice(0, SHOWN_ROWS).map(({ line, text }) => (
                      <li key={line}>{t("import.invalid", { line, text })}</li>
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
          <Button disabled={!chosen || chosen.result.added === 0} loading={run.pending} onClick={() => void add()}>
            {t("import.submit", { count: chosen?.result.added ?? 0 })}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
