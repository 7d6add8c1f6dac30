"use client";

import { Download, FileUp, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EntryMenu } from "@/components/common/configuration/entry-menu";
import type { ExportDialogProps } from "@/components/common/data-table/export-dialog";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { Menu } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { saveFile } from "@/components/common/save-file";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { download } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import type { OperationInput } from "@/lib/client/operation-types";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import type { SecureVariable } from "@/lib/features/variables/schema";
import { useVariableValue } from "./use-variable-value";

// Loaded when they are opened for the first time, not with the list.
const CreateVariableDialog = lazyDialog(() => import("./variable-dialog").then((file) => file.CreateVariableDialog));
const UpdateVariableDialog = lazyDialog(() => import("./variable-dialog").then((file) => file.UpdateVariableDialog));

/** Opens the dialog that adds a variable to an environment. */
export function CreateVariableButton({ kind, environmentId }: { kind: VariableKind; environmentId: string }) {
  const t = useTranslations("variables");
  return (
    <DialogButton dialog={(dialog) => <CreateVariableDialog kind={kind} environmentId={environmentId} {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

const VariablesImportDialog = lazyDialog(() =>
  import("./variables-import-dialog").then((file) => file.VariablesImportDialog),
);

/** Opens the dialog that imports variables from a file. */
export function ImportVariablesButton({ kind, environmentId }: { kind: VariableKind; environmentId: string }) {
  const t = useTranslations("variables.import");
  return (
    <DialogButton
      variant="secondary"
      className="max-lg:[header_&]:size-10 max-lg:[header_&]:px-0"
      dialog={(dialog) => <VariablesImportDialog kind={kind} environmentId={environmentId} {...dialog} />}
    >
      <FileUp aria-hidden />
      <span className="max-lg:[header_&]:sr-only">{t("action")}</span>
    </DialogButton>
  );
}

const ExportDialog = lazyDialog<ExportDialogProps>(() =>
  import("@/components/common/data-table/export-dialog").then((file) => file.ExportDialog),
);

const EXPORTS = [
  { format: "dotenv", ending: "env" },
  { format: "json", ending: "json" },
  { format: "yaml", ending: "yaml" },
] as const;

export type ExportVariablesMenuProps = {
  kind: VariableKind;
  environmentId: string;
  /** The filters and the order of the list, for its export as CSV. */
  input: OperationInput<"apps/get-secure-variables">;
  /** Number of rows; null if it is not known. */
  total: number | null;
};

/** A menu that saves the active variables of an environment as a file, or the list as it is filtered as CSV. */
export function ExportVariablesMenu({ kind, environmentId, input, total }: ExportVariablesMenuProps) {
  const t = useTranslations("variables.export");
  const notified = useNotifiedCall();
  const csv = useDialog();
  const { cursor: _cursor, limit: _limit, ...filters } = input;

  const save = async ({ format, ending }: (typeof EXPORTS)[number]) => {
    const file = await notified(() => download("apps/export-variables", { environmentId, kind, format }));
    if (!file) return;
    saveFile(file, `${kind}s.${ending}`);
    // The comments before the variables name programs that misread some of them.
    const comments = format === "dotenv" ? /^(#.*\n)+/.exec(await file.text())?.[0] : undefined;
    if (comments) notify.warning(t("misreadTitle"), { description: comments.replaceAll("# ", "") });
  };

  return (
    <>
      <Menu
        align="end"
        sections={[
          { items: EXPORTS.map((file) => ({ label: t(file.format), onSelect: () => void save(file) })) },
          { items: [{ label: t(`csv.${kind}`), onSelect: csv.show }] },
        ]}
        trigger={
          <Button variant="secondary" loading={csv.pending}>
            <Download aria-hidden className="text-muted-foreground" />
            {t("action")}
          </Button>
        }
      />
      <OpenedDialog state={csv}>
        {(dialog) => (
          <ExportDialog
            {...dialog}
            path={kind === "dev-variable" ? "apps/get-development-variables" : "apps/get-secure-variables"}
            input={{ ...filters, format: "csv" }}
            total={total}
          />
        )}
      </OpenedDialog>
    </>
  );
}

export type VariableMenuProps = {
  kind: VariableKind;
  variable: SecureVariable;
  /** The value of a development variable; undefined if it is too long for the list. */
  value: string | undefined;
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
};

/** The menu of a variable in a list: edit and delete. */
export function VariableMenu({ kind, variable, value, canUndo }: VariableMenuProps) {
  const load = useVariableValue(kind, variable.id);
  const [current, setCurrent] = useState(value);

  const loadValue = async () => {
    // A secure value is not shown: it is replaced or kept.
    if (kind === "secure-variable") return true;
    const latest = value ?? (await load());
    if (latest === null) return false;
    setCurrent(latest);
    return true;
  };

  return (
    <EntryMenu
      kind={kind}
      entry={variable}
      canWrite
      canUndo={canUndo}
      onEdit={loadValue}
      dialog={(dialog) => <UpdateVariableDialog kind={kind} variable={variable} value={current} {...dialog} />}
    />
  );
}
