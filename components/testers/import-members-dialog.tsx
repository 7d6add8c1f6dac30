"use client";

import { useTranslations } from "next-intl";
import { ImportFileDialog, WrongLines } from "@/components/common/import-file-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";
import { MAX_IMPORT_LENGTH } from "@/lib/features/testers/schema";

type Result = OperationOutput<"testers/import-tester-group-members">;

/** Imports members of a group of testers: says what a file would do, and then does it. */
export function ImportMembersDialog({ group, ...dialog }: DialogProps & { group: { id: string; name: string } }) {
  const t = useTranslations("testers");
  const { run, pending } = useOperation("testers/import-tester-group-members");
  return (
    <ImportFileDialog<Result>
      {...dialog}
      title={t("import.title", { name: group.name })}
      description={t("import.description")}
      extensions={["csv", "txt", "tsv"]}
      maxBytes={MAX_IMPORT_LENGTH}
      rejected={t("import.rejected")}
      pending={pending}
      onImport={async (csv, dryRun) => {
        const result = await run({ groupId: group.id, csv, dryRun });
        return result.ok ? result.data : null;
      }}
      preview={({ added, already, invalid, invalidRows }) => (
        <>
          <p>{t("import.summary", { added, already })}</p>
          {invalid > 0 && (
            <WrongLines
              tone="warning"
              title={t("import.invalidTitle", { count: invalid })}
              lines={invalidRows.map(({ line, text }) => ({ line, text: t("import.invalid", { line, text }) }))}
            />
          )}
        </>
      )}
      canSubmit={({ added }) => added > 0}
      submitLabel={(result) => (result ? t("import.submit", { count: result.added }) : t("addMembers"))}
      done={({ added }) => t("added", { added })}
    />
  );
}
