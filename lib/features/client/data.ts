import "server-only";
import { orNotFound } from "@/lib/api/list";
import type { AuditStep } from "@/lib/api/operation";
import { recordReveal } from "@/lib/audit/reveals";
import type { Db } from "@/lib/db/client";
import { type ActiveEntry, readActiveEntries } from "@/lib/features/configuration/data/active-entries";
import { tableOfKind } from "@/lib/features/configuration/data/entries";
import { openSecret } from "@/lib/features/configuration/data/secrets";
import type { EntryKind } from "@/lib/features/configuration/schema";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { TokenActor } from "@/lib/permissions/actor";

/** The active entries of a configuration with opened secrets. */
export interface Configuration {
  version: number;
  ofKind(kind: EntryKind): OpenedEntry[];
}

type OpenedEntry = Omit<ActiveEntry, "sealed"> & { secret: ReturnType<typeof openSecret> | null };

/**
 * Reads the active entries of an environment and opens their secrets.
 * @throws ApiError not_found if there never was such a version; SealedError where a secret does not open
 */
export async function readConfiguration(
  db: Db,
  environmentId: string,
  options: Parameters<typeof readActiveEntries>[2],
): Promise<Configuration> {
  const { version, entries } = orNotFound(await readActiveEntries(db, environmentId, options));
  const opened = Map.groupBy(
    entries.map(({ sealed, ...entry }) => ({ ...entry, secret: sealed && openSecret(sealed, sealed.place) })),
    ({ kind }) => kind,
  );
  return { version, ofKind: (kind) => opened.get(kind) ?? [] };
}

/** The values of variables by their keys. */
export function valuesOf(entries: readonly OpenedEntry[]): Record<string, string> {
  return Object.fromEntries(
    entries.map(({ key, plain, secret }) => [key, plain ?? (secret?.value.toString() as string)]),
  );
}

/** A certificate as clients are told of it, without its file. */
export function toClientCertificate({ key, name, details }: OpenedEntry) {
  const { fileName, format, sha256, expirationDate } = details as NonNullable<typeof details>;
  return {
    key,
    name,
    fileName,
    format,
    sha256,
    expirationDate: expirationDate && new Date(expirationDate).toISOString(),
    status: "active" as const,
  };
}

/** The audit step of an answer with the secrets of a kind; null if it has none. */
export function revealOf(
  kind: EntryKind,
  { version, ofKind }: Configuration,
  { actor, request }: { actor: TokenActor; request: RequestFacts },
): AuditStep | null {
  const secrets = ofKind(kind).filter(({ secret }) => secret !== null).length;
  if (secrets === 0) return null;
  const { tokenId, identifier, environmentId } = actor;
  const reveal = { tokenId, identifier, environmentId, table: tableOfKind(kind), version, secrets };
  return (record) => recordReveal({ ...reveal, ip: request.ip, now: request.now }, record);
}
