import { useFormatter, useTranslations } from "next-intl";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { ConfigurationDiff, EntryKind } from "@/lib/features/configuration/schema";
import { DifferenceList } from "./difference-list";

const CHANGES = { create: "added", update: "changed", delete: "removed" } as const;

/** What is counted, in the order in which it is said. */
const COUNTS = ["created", "updated", "unchanged", "removed"] as const;

type Preview = OperationOutput<"apps/import-variables">;

/** The planned changes as differences between two versions. */
function toItems(kind: EntryKind, changes: Preview["changes"]): ConfigurationDiff["items"] {
  return changes.map(({ action, ...values }) => ({
    kind,
    ...values,
    change: CHANGES[action],
    valueChanged: true,
    fields: {},
  }));
}

/** What an import or a copy would change: how many entries, and the old and the new value of each. */
export function ChangesPreview({ kind, preview }: { kind: EntryKind; preview: Preview }) {
  const t = useTranslations("variables.import");
  const format = useFormatter();
  const { changes, valuesOmitted } = preview;
  const counted = COUNTS.filter((key) => preview[key] > 0);
  // A file may have no entries.
  const counts = (counted.length > 0 ? counted : (["unchanged"] as const)).map((key) =>
    t(`counts.${key}`, { count: preview[key] }),
  );
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="font-medium">
        {format.list(counts, { type: "unit" })}
      </p>
      <DifferenceList isOneKind items={toItems(kind, changes)} valuesOmitted={valuesOmitted} />
    </div>
  );
}
