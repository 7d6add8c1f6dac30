import type { FieldErrors, FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { isSessionCode } from "@/lib/client/client";

/** A failed submission: its texts and the invalid fields. API problems have this shape. */
export type SubmitProblem = {
  /** The code of an API problem. */
  code?: string;
  title: string;
  detail: string;
  /** `path` is dotted, as in the request; `message` is in the user's language. */
  errors: readonly { path: string; message: string }[];
};

/** The result of a submission, as returned by `useOperation().run()`. Undefined counts as success. */
export type SubmitResult<Data = unknown> = { ok: true; data?: Data } | { ok: false; problem: SubmitProblem };

/** A submission that failed without a problem to show: the user cancelled it, or the form already shows why. */
export const NOT_SUBMITTED = { ok: false, problem: { title: "", detail: "", errors: [] } } as const;

/**
 * Shows the errors of a failed submission under their fields.
 *
 * @returns the messages of fields that the form does not have
 */
export function showProblem<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  problem: SubmitProblem,
): string[] {
  const unassigned: string[] = [];
  for (const { path, message } of problem.errors) {
    if (hasField(form.getValues(), path)) form.setError(path as FieldPath<Input>, { type: "server", message });
    else unassigned.push(message);
  }
  return unassigned;
}

/** A problem that no field shows; null if fields show it, if there is nothing to say, or if the session guard handles it. */
export function unshownProblem(problem: SubmitProblem): SubmitProblem | null {
  const isHandled = problem.code !== undefined && isSessionCode(problem.code);
  return problem.errors.length > 0 || problem.title === "" || isHandled ? null : problem;
}

/** The type of the error of a field that is empty and must not be. */
export const REQUIRED = "required";

/** Whether some field has an error of a kind, also one of a list or group. */
function someError(errors: object, isOfKind: (error: { type?: unknown; message?: unknown }) => boolean): boolean {
  return (
    isOfKind(errors) ||
    Object.entries(errors).some(
      // `ref` is a DOM element.
      ([name, part]) => name !== "ref" && typeof part === "object" && part !== null && someError(part, isOfKind),
    )
  );
}

/** Whether a required field is empty. */
export function hasRequiredError<Input extends FieldValues>(errors: FieldErrors<Input>): boolean {
  return someError(errors, ({ type }) => type === REQUIRED);
}

/** Whether a field, or the whole form, already says this. */
export function isShownAtField<Input extends FieldValues>(errors: FieldErrors<Input>, text: string): boolean {
  return someError(errors, ({ message }) => message === text);
}

/** Whether the form's values have a property at a dotted path, even if it is empty. */
function hasField(values: unknown, path: string): boolean {
  let current = values;
  for (const part of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, part)) return false;
    current = (current as Record<string, unknown>)[part];
  }
  return true;
}
