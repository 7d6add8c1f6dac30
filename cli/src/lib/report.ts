import { EXIT, Failure } from "./failure";
import { printable } from "./terminal";

/** An error in words: what happened, the wrong fields, and what to do next. Only unexpected errors have a stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Failure)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `This is an error of the tool itself. Report it with these lines:\n${stack}`;
  }
  const { problem } = error;
  const fields = (problem?.errors ?? [])
    .filter(({ message }) => !error.message.includes(message))
    .map(({ path, message }) => `  ${path}: ${message}`);
  const request = problem?.requestId ? [`Request ${problem.requestId}`] : [];
  return [...error.message.split("\n"), ...fields, ...error.hints, ...request].map(printable).join("\n");
}

/** The problem document (RFC 9457) of a failure, for `--json`. */
export function failureDocument(error: Failure): object {
  // A problem that no console has answered has no status.
  if (error.problem) return error.problem.status === 0 ? { ...error.problem, status: undefined } : error.problem;
  const [title, ...details] = error.message.split("\n");
  const code = { [EXIT.usage]: "usage", [EXIT.unreachable]: "unreachable", [EXIT.interrupted]: "interrupted" }[
    error.exitCode
  ];
  return { title, detail: [...details, ...error.hints].join("\n"), code: error.code ?? code ?? "failed" };
}
