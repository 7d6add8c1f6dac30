import { useMessages } from "next-intl";

/** Functions that name a table and an action; a code without a name is shown itself. */
export function useKindLabels(): { tableLabel(table: string): string; actionLabel(action: string): string } {
  const { tables, actions } = useMessages().auditLog;
  const labelIn = (labels: Readonly<Record<string, string>>) => (code: string) =>
    Object.hasOwn(labels, code) ? (labels[code] as string) : code;
  return { tableLabel: labelIn(tables), actionLabel: labelIn(actions) };
}
