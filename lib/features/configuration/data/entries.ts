import "server-only";
import type { Prisma, Status } from "@/lib/db/generated/client";
import { raw, type Sql } from "@/lib/db/query";
import type { SecondFactorRule } from "@/lib/permissions/second-factor";
import { type EntryKind, scopeOfKind } from "../schema";

/**
 * Who may read, change or reveal the entries of a kind: those with its scope. Of secrets, people with a second factor, and
 * to reveal them, with a recent one.
 */
export function accessToKind(
  kind: EntryKind,
  right: "read" | "write" | "reveal",
): { access: ReturnType<typeof scopeOfKind>; secondFactor?: SecondFactorRule } {
  const access = scopeOfKind(kind, right === "reveal" ? "read" : right);
  if (kind === "dev-variable") return { access };
  return { access, secondFactor: right === "reveal" ? "recent" : "enrolled" };
}

/** What the row of a certificate has beside its name, key, status and secret. */
export type CertificateDetails = Pick<
  Prisma.SecureCertificateUncheckedCreateInput,
  | "fileName"
  | "format"
  | "sha256"
  | "subject"
  | "issuer"
  | "serialNumber"
  | "keyAlgorithm"
  | "hasPrivateKey"
  | "chainLength"
> & { expirationDate: string | null };

/** The secret of an entry: the value of a secure variable, or a certificate's file and its password. */
export interface Secret {
  value: string | Uint8Array;
  password?: string | null;
}

/** An entry as a change leaves it. */
export interface EntryState {
  key: string;
  name: string;
  status: Status;
  /** Of a development variable. */
  value?: string;
  /** Of the other kinds: a new secret, that of an earlier version of the same entry, or the one that it has. */
  secret?: Secret | { secretId: string } | "unchanged";
  /** Of a certificate. */
  details?: CertificateDetails;
}

/** A change to one entry. */
export interface EntryChange {
  kind: EntryKind;
  /** The id of the entry's row. */
  id: string;
  /** Null for a creation. */
  before: { key: string; name: string } | null;
  /** Null for a deletion. */
  after: EntryState | null;
}

/** A user or token, of two columns that say who changed something, as JSON for `authorSchema`. */
export function authorJson(userColumn: string, tokenColumn: string): Sql {
  return raw(`coalesce(
    (SELECT json_build_object('kind', 'user', 'id', u."id", 'name', concat(u."firstNames", ' ', u."lastNames"))
     FROM "User" u WHERE u."id" = ${userColumn}),
    (SELECT json_build_object('kind', 'token', 'id', k."id", 'name', k."name") FROM "ApiToken" k WHERE k."id" = ${tokenColumn})
  )`);
}

/** An SQL type for each column that is written as it is. */
export type Columns = Record<string, string>;

const FACTS: Columns = { key: "text", name: "text", status: `"Status"` };

export const DETAILS: Columns = {
  fileName: "text",
  format: "text",
  sha256: "text",
  expirationDate: "timestamptz",
  subject: "text",
  issuer: "text",
  serialNumber: "text",
  keyAlgorithm: "text",
  hasPrivateKey: "boolean",
  chainLength: "integer",
};

interface EntryTable {
  table: "DevVariable" | "SecureVariable" | "SecureCertificate";
  plain: Columns;
  sealed: readonly ("value" | "password")[];
}

export const TABLES: Record<EntryKind, EntryTable> = {
  "dev-variable": { table: "DevVariable", plain: { ...FACTS, value: "text" }, sealed: [] },
  "secure-variable": { table: "SecureVariable", plain: FACTS, sealed: ["value"] },
  "secure-certificate": {
    table: "SecureCertificate",
    plain: { ...FACTS, ...DETAILS },
    sealed: ["value", "password"],
  },
};

/** The table that has the current entries of a kind. */
export function tableOfKind(kind: EntryKind): EntryTable["table"] {
  return TABLES[kind].table;
}

/**
 * The order of an entry's changes `c`. The versions are never null, but only the index of an entry's history has this order:
 * with any other, the planner may search all versions of the environment for those of a key that is rarely changed.
 */
export const NEWEST_FIRST = raw(`c."version" DESC NULLS LAST`);
