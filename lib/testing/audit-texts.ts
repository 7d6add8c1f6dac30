import { DEFAULT_LOCALE } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";

type Texts = { [key: string]: Texts | string };

/** The keys that `messages/` lacks for the records of a table and action: a sentence and the labels. */
export function missingAuditTexts({ table, action }: { table: string; action: string }): string[] {
  const { auditLog } = messagesFor(DEFAULT_LOCALE) as unknown as { auditLog: Texts };
  const keys = [
    ["sentences", table, action],
    ["tables", table],
    ["actions", action],
  ];
  const has = (path: string[]) =>
    path.reduce<Texts | string | undefined>((texts, key) => (texts as Texts | undefined)?.[key], auditLog) !==
    undefined;
  return keys.filter((path) => !has(path)).map((path) => `auditLog.${path.join(".")}`);
}
