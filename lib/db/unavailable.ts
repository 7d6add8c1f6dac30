import { Prisma } from "./generated/client";

/** Node's codes of a connection that cannot be made or is lost; a host name may not resolve while its host is away. */
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
 * Prisma's codes: not reached, timed out, connection closed, no free connection, no transaction in time, conflict with
 * another transaction.
 */
const PRISMA_CODES = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034", "P2037"]);

/** The kinds of failures that Prisma's adapter makes of some of Node's codes and SQLSTATEs. */
const ADAPTER_KINDS = new Set([
  "ConnectionClosed",
  "DatabaseNotReachable",
  "SocketTimeout",
  "TooManyConnections",
  "TransactionWriteConflict",
]);

/**
 * SQLSTATEs (PostgreSQL, appendix A) after which another try may succeed: connection exceptions, a server that lacks
 * resources, shuts down, starts or takes no writes, a serialization failure, a deadlock, a lock not available.
 */
const SQLSTATES = /^(08\w{3}|53(000|200|300)|57P0[1235]|25006|40001|40P01|55P03)$/;
const DISK_FULL = "53100";

/** What pg itself says, in errors without a code, of a connection that is lost or that it waited for in vain. */
const PG_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool)/;

/** One of the errors that a failure consists of, as pg, Prisma and Prisma's adapter describe them. */
type Cause = Record<"code" | "originalCode" | "kind" | "message", unknown>;

/** More than any failure has; an error may be its own cause. */
const MAX_CAUSES = 10;

/** An error, what caused it, and what Prisma's adapter was told. */
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

/** Whether an error is, or was caused by, a database that does not answer now: nothing is known to have been changed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientInitializationError || causesOf(error).some(isUnavailable);
}

/** Whether an error is, or was caused by, a database without room for what was to be written. */
export function isDatabaseFull(error: unknown): boolean {
  return causesOf(error).some(({ code, originalCode }) => code === DISK_FULL || originalCode === DISK_FULL);
}
