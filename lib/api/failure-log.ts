import "server-only";
import type { ApiError } from "@/lib/kernel/errors";
import { log } from "@/lib/kernel/log";

/** The texts of an error and its causes, without their stacks. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = reasonOf(error.cause);
  const text = error.message.trim() || error.name;
  return cause === undefined || text.includes(cause) ? text : `${text}: ${cause}`;
}

/**
 * Logs a failure of the server. One that is expected (no room, a dependency that does not answer, a full queue) is a warning
 * without a stack, which would name the place where it was found and not its reason.
 * @param about other fields of the line
 */
export function logFailure({ code, cause }: ApiError, about: Record<string, unknown>, message: string): void {
  if (code === "unexpected") log.error({ err: cause, code, ...about }, message);
  else log.warn({ reason: reasonOf(cause), code, ...about }, message);
}
