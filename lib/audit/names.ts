import type { Changes } from "./write";

/**
 * The entry of a record's changes with the names of its time. It is part of the changes because the record's hash covers
 * these, also in the verification of earlier versions. No field has a name with this character.
 */
export const NAMES_FIELD = "@names";

/** The names that a record contains. What was not known is missing. */
interface RecordNames {
  actor?: string;
  actorEmail?: string;
  record?: string;
  appId?: string;
  app?: string;
  environmentId?: string;
  environment?: string;
}

/** The changes of a record without its names. */
export function withoutNames(changes: Changes): Changes {
  const { [NAMES_FIELD]: _, ...others } = changes;
  return others;
}

/** The names of a record; empty if it was written before records contained names. */
export function namesIn(changes: Changes): RecordNames {
  return (changes[NAMES_FIELD]?.[1] ?? {}) as RecordNames;
}

/** The people of an invitation that are named; the others are counted. */
const NAMED_PEOPLE = 3;

const KEYED = ["DevVariable", "SecureVariable", "SecureCertificate"];

/** The value of a field that names something: after the change, or before a deletion. */
function textIn(changes: Changes, field: string): string | null {
  const value = changes[field]?.[1] ?? changes[field]?.[0];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The ID of what names a record's object: for the session of another user that user, otherwise the object. */
export function namedSubject({
  table,
  recordId,
  changes,
}: {
  table: string;
  recordId: string | null;
  changes: Changes;
}) {
  return (table === "Session" && textIn(changes, "userId")) || recordId;
}

/** The name of a record's object, as far as the changes tell it: that of a deleted object, for example. */
export function nameInChanges(table: string, changes: Changes): string | null {
  if (table === "Release" || table === "Feedback") {
    const [version, buildNumber] = [textIn(changes, "version"), textIn(changes, "buildNumber")];
    return version && buildNumber ? `${version} (${buildNumber})` : version;
  }
  if (table === "User") {
    const emails = changes.emails?.[1];
    if (!Array.isArray(emails)) return textIn(changes, "email");
    const more = emails.length - NAMED_PEOPLE;
    return `${emails.slice(0, NAMED_PEOPLE).join(", ")}${more > 0 ? ` (+${more})` : ""}`;
  }
  if (table === "RolePermission") {
    const role = (changes.role?.[0] ?? changes.role?.[1]) as { name?: unknown } | null | undefined;
    return typeof role?.name === "string" ? role.name : null;
  }
  if (table === "Job") return textIn(changes, "queue");
  return textIn(changes, KEYED.includes(table) ? "key" : "name");
}
