import { inSpan, isTracing } from "@/lib/kernel/tracing";
import { statementName, statementText } from "./statement-name";

/** Runs a statement in a span with its name, if spans are recorded. */
export function inStatementSpan<T>(statement: unknown, run: () => Promise<T>): Promise<T> {
  if (!isTracing()) return run();
  const { operation, table } = statementName(statementText(statement));
  const attributes = {
    "db.system.name": "postgresql",
    "db.operation.name": operation,
    ...(table !== undefined && { "db.collection.name": table }),
  };
  return inSpan(table === undefined ? operation : `${operation} ${table}`, { kind: "client", attributes }, run);
}
