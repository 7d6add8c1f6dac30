"use client";

import { useTranslations } from "next-intl";
import { ImportFileDialog, WrongLines } from "@/components/common/import-file-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";
import { MAX_IMPORT_LENGTH } from "@/lib/features/devices/schema";

type Result = OperationOutput<"devices/import-devices">;

/** Imports Apple's file of devices: says what it would do, and which lines are wrong, and then does it. */
export function ImportDialog(dialog: DialogProps) {
  const t = useTranslations("devices.import");
  const { run, pending } = useOperation("devices/import-devices");
  return (
    <ImportFileDialog<Result>
      {...dialog}
      title={t("title")}
      description={t("description")}
      extensions={["txt", "tsv"]}
      maxBytes={MAX_IMPORT_LENGTH}
      rejected={t("rejected")}
      pending={pending}
      onImport={async (text, dryRun) => {
        const result = await run({ text, dryRun });
        return result.ok ? result.data : null;
      }}
      preview={({ added, already, macs, invalid, invalidLines }) => (
        <>
          <p>{t("summary", { added, already, macs })}</p>
          {invalid > 0 && (
            <WrongLines
              tone="danger"
              title={t("invalidTitle", { count: invalid })}
              lines={invalidLines.map(({ line, problem }) => ({ line, text: t(`problems.${problem}`, { line }) }))}
            />
          )}
        </>
      )}
      canSubmit={({ added, invalid }) => added > 0 && invalid === 0}
      submitLabel={(result) => (result && result.added > 0 ? t("submit", { count: result.added }) : t("action"))}
      done={({ added }) => t("done", { count: added })}
    />
  );
}
