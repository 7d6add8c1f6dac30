import type { Locale } from "@/lib/kernel/i18n/locales";
import { messagesFor, translatorFor } from "@/lib/kernel/i18n/translator";
import type { AuditRecord } from "../schema";

type Described = Omit<AuditRecord, "sentence"> & {
  ip: string | null;
  /** Whether the record is about all entries of the environment that it belongs to. */
  isOfPlace: boolean;
};

type Texts = Readonly<Record<string, string>>;
type Translate = (key: string, values: Record<string, string>) => string;

/** A letter of a script that is written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name within a sentence of another direction, which it must not rearrange (U+2068 and U+2069, Unicode TR 9). */
function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** Who acted, at the beginning of a sentence. */
function actorOf(t: Translate, { userId, tokenId, actorName, ip }: Described): string {
  const key = (name: string) => `auditLog.actors.${name}`;
  if (userId !== null) return actorName === null ? t(key("deletedUser"), {}) : isolated(actorName);
  if (tokenId !== null) {
    return actorName === null ? t(key("deletedToken"), {}) : t(key("token"), { name: isolated(actorName) });
  }
  return t(key(ip === null ? "system" : "nobody"), {});
}

/** The names of the environments that something was taken from to that of the record. */
function sourcesIn({ fromEnvironments }: Described["changes"]): string[] {
  const names = fromEnvironments?.[1];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/** The sentences of an action that fit a record better than the general one, the best first. */
function variants({ table, action, userId, recordId, recordName, isOfPlace, place, changes }: Described): string[] {
  const owner = table === "Session" ? changes.userId?.[0] : undefined;
  return [
    ...(typeof owner === "string" && owner !== userId ? [`${action}-of`] : []),
    ...(recordName === null ? [`${action}-unnamed`] : []),
    ...(userId !== null && userId === recordId ? [`${action}-own`] : []),
    ...(isOfPlace ? [`${action}-all`] : []),
    ...(place?.environment && sourcesIn(changes).length > 0 ? [`${action}-between`] : []),
    action,
  ];
}

/** The label of a table or action; its code if it has none. */
const labelIn = (labels: Texts, code: string) => (Object.hasOwn(labels, code) ? (labels[code] as string) : code);

/** The name of a sign-in provider, which is the object of a record without another name; null for other objects. */
export function providerName(
  { table, recordId }: Pick<AuditRecord, "table" | "recordId">,
  locale: Locale,
): string | null {
  const names: Texts = messagesFor(locale).users.providers;
  return table === "AuthProvider" && recordId !== null && Object.hasOwn(names, recordId)
    ? (names[recordId] as string)
    : null;
}

/** What a record says, as a sentence without its time and place. */
export function sentenceOf(record: Described, locale: Locale): string {
  const { table, action, recordId, recordName } = record;
  const t = translatorFor(locale) as unknown as Translate;
  const { sentences, tables, actions } = messagesFor(locale).auditLog;
  const values = {
    actor: actorOf(t, record),
    record: isolated(recordName ?? recordId ?? ""),
    from: sourcesIn(record.changes).map(isolated).join(", "),
    to: isolated(record.place?.environment ?? ""),
  };
  const ofTable: Texts = Object.hasOwn(sentences, table)
    ? ((sentences as unknown as Record<string, Texts>)[table] ?? {})
    : {};
  const variant = variants(record).find((name) => Object.hasOwn(ofTable, name));
  if (variant !== undefined) return t(`auditLog.sentences.${table}.${variant}`, values);
  const object = [labelIn(tables, table), values.record].filter((text) => text !== "").join(" ");
  return t("auditLog.otherSentence", { ...values, action: labelIn(actions, action), object });
}
