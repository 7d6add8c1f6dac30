import type { ApiProblem } from "@/lib/client/problem";

/** The exit codes of the tool. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

/** An expected failure, which is printed without a stack. */
export class Failure extends Error {
  readonly exitCode: number;
  /** What to do next; printed below the message. */
  readonly hints: readonly string[];
  /** The problem document of the console. */
  readonly problem: ApiProblem | undefined;
  /** The code for `--json` where the console answered nothing; by default that of the exit code. */
  readonly code: string | undefined;

  constructor(
    exitCode: number,
    message: string,
    options: { hints?: readonly string[]; problem?: ApiProblem; code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "Failure";
    this.exitCode = exitCode;
    this.hints = options.hints ?? [];
    this.problem = options.problem;
    this.code = options.code;
  }
}

/** The command line or a file that it names is wrong: exit code 2. */
export function usageFailure(message: string, ...hints: string[]): Failure {
  return new Failure(EXIT.usage, message, { hints });
}

/** The console cannot be reached: exit code 3. */
export function unreachableFailure(message: string, ...hints: string[]): Failure {
  return new Failure(EXIT.unreachable, message, { hints });
}

/** Where a user of the console turns on two-factor authentication. */
const ENROLLMENT_PATH = "/profile?tab=two-factor";
const SIGN_IN_CODES = ["not_authenticated", "session_expired", "invalid_token"];

/** What a person does to whom the console answers with a code about the second factor. */
function secondFactorHint(code: string, url: string): string | null {
  if (code === "two_factor_enrollment_required")
    return `Turn it on in your profile at ${url}${ENROLLMENT_PATH}, and sign in again with \`slipway login\`.`;
  return code.startsWith("two_factor")
    ? "Sign in again with `slipway login`: the browser asks for your second factor."
    : null;
}

/**
 * What the console refused: exit code 1.
 * @param url the address of the console
 */
export function refusedFailure(url: string, problem: ApiProblem, hints: readonly string[] = []): Failure {
  const signIn = SIGN_IN_CODES.includes(problem.code)
    ? ["Sign in with `slipway login`, or set SLIPWAY_TOKEN to a valid API token. While it is set, no sign-in is used."]
    : [];
  const secondFactor = secondFactorHint(problem.code, url) ?? [];
  // The fields, which follow the message, say more than the detail, which is about the marked fields of a form.
  const hasFields = ["validation_failed", "rule_violated"].includes(problem.code) && problem.errors.length > 0;
  const isEnrollment = problem.code === "two_factor_enrollment_required";
  const detail = hasFields || isEnrollment ? "" : problem.detail;
  const title = isEnrollment
    ? "This requires two-factor authentication, which is not on for your account."
    : problem.title;
  const message = [title || `The console answered with status ${problem.status}.`, detail].filter(Boolean).join("\n");
  return new Failure(EXIT.refused, message, { problem, hints: [...hints, ...signIn].concat(secondFactor) });
}

/** The interruption by Ctrl-C: exit code 130. */
export function interruptedFailure(message = "Interrupted."): Failure {
  return new Failure(EXIT.interrupted, message);
}

const FILE_ERRORS: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "cannot be accessed: permission denied",
  EPERM: "cannot be accessed: permission denied",
  EISDIR: "is a folder",
  ENOTDIR: "is not below a folder",
  ENAMETOOLONG: "has a name that is too long",
  ENOSPC: "cannot be written: the disk is full",
  EDQUOT: "cannot be written: the disk quota is used up",
  EROFS: "cannot be written: the file system is read-only",
};

/** The failure for an error of the file system; null for other errors. */
export function fileFailure(path: string, error: unknown): Failure | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const words = code === undefined ? undefined : FILE_ERRORS[code];
  return words === undefined ? null : usageFailure(`${path} ${words}.`);
}
