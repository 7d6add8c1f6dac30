import "server-only";
import { processSingleton } from "@/lib/kernel/process-singleton";

/** The maximum number of prepared statements per connection, since callers' filters can produce any number of texts. */
const MAX_PREPARED_STATEMENTS = 64;

/** The names of prepared statements by their text, shared by all connections. */
const statementNames = processSingleton("statement-names", () => new Map<string, string>());

/** Names a text as a prepared statement, unless there are too many. */
export function prepareStatement(text: string): void {
  const names = statementNames.get();
  if (!names.has(text) && names.size < MAX_PREPARED_STATEMENTS) names.set(text, `slipway_${names.size}`);
}

/** Returns the name of the prepared statement for a text; undefined if there is none. */
export function preparedStatement(text: string): string | undefined {
  return statementNames.get().get(text);
}
