import { Prisma } from "./generated/client";

/** Node's codes of connections that fail or are lost. A host name may not resolve while its host is unavailable. */
const NETWORK_CODES = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/**
 * Prisma's codes: database not reachable, timeout, connection closed, no free connection, transaction not started in time,
 * conflict with another transaction.
 */
const PRISMA_CODES = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034", "P2037"]);

/** The kinds of errors to which Prisma's adapter converts some of Node's codes and SQLSTATEs. */
const ADAPTER_KINDS = new Set([
  "ConnectionClosed",
  "DatabaseNotReachable",
  "SocketTimeout",
  "TooManyConnections",
  "TransactionWriteConflict",
]);

/**
 * SQLSTATEs (PostgreSQL, appendix A) after which a retry may succeed: connection exceptions, insufficient resources, a server
 * that shuts down, starts or is read-only, serialization failure, deadlock, lock not available.
 */
const SQLSTATES = /^(08\w{3}|53(000|200|300)|57P0[1235]|25006|40001|40P01|55P03)$/;
const DISK_FULL = "53100";
const UNIQUE_VIOLATION = "23505";
/** The SQLSTATEs and Prisma's codes of a table or a column that does not exist. */
const MISSING_RELATIONS = ["42P01", "42703", "P2021", "P2022"];

/** The messages of pg's errors without a code for lost connections and connection timeouts. */
const PG_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool)/;

/** The properties by which errors of pg, Prisma and Prisma's adapter are classified. */
type Cause = Record<"code" | "originalCode" | "kind" | "message", unknown>;

/** The maximum number of causes to check, since an error may be its own cause. */
const MAX_CAUSES = 10;

/** Returns an error, its causes and the errors that Prisma's adapter received. */
function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  let current = error;
  while (typeof current === "object" && current !== null && causes.length < MAX_CAUSES) {
    causes.push(current as Cause);
    const { cause, meta } = current as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
    current = cause ?? meta?.driverAdapterError;
  }
  return causes;
}

function isUnavailable({ code, originalCode, kind, message }: Cause): boolean {
  if (ADAPTER_KINDS.has(String(kind))) return true;
  const codes = [code, originalCode].filter((one) => typeof one === "string");
  if (codes.some((one) => NETWORK_CODES.has(one) || PRISMA_CODES.has(one) || SQLSTATES.test(one))) return true;
  // An error with a code may quote the caller's data.
  return codes.length === 0 && typeof message === "string" && PG_MESSAGES.test(message);
}

/** Returns whether an error is, or was caused by, a database that is currently unavailable, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientInitializationError || causesOf(error).some(isUnavailable);
}

/** Of these, those of a database that answers: deadlock, serialization failure, lock not available, transaction not in time. */
const CONFLICTS = ["40001", "40P01", "55P03", "P2028", "P2034"];

/** Returns whether an error is, or was caused by, a database that no connection reaches now, so that other calls would wait in vain. */
export function isDatabaseAway(error: unknown): boolean {
  const isConflict = causesOf(error).some(({ kind }) => kind === "TransactionWriteConflict");
  return isDatabaseUnavailable(error) && !isConflict && !CONFLICTS.some((code) => hasState(error, code));
}

/** Returns whether an error is, or was caused by, a database whose disk is full. */
export function isDatabaseFull(error: unknown): boolean {
  return hasState(error, DISK_FULL);
}

/** Returns whether an error is, or was caused by, a write that violated a unique index. Also of raw queries. */
export function isUniqueViolation(error: unknown): boolean {
  return hasState(error, UNIQUE_VIOLATION);
}

/** Returns whether an error is, or was caused by, a table or a column that the database does not have. */
export function isRelationMissing(error: unknown): boolean {
  return MISSING_RELATIONS.some((code) => hasState(error, code));
}

function hasState(error: unknown, sqlstate: string): boolean {
  return causesOf(error).some(({ code, originalCode }) => code === sqlstate || originalCode === sqlstate);
}
