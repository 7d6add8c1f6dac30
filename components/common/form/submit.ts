import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";

/** A failed submission: its texts and the invalid fields. API problems have this shape. */
export type SubmitProblem = {
  title: string;
  detail: string;
  /** `path` is dotted, as in the request; `message` is in the user's language. */
  errors: readonly { path: string; message: string }[];
};

/** The result of a submission, as returned by `useOperation().run()`. Undefined counts as success. */
export type SubmitResult = { ok: true } | { ok: false; problem: SubmitProblem };

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

/** Whether the form's values have a property at a dotted path, even if it is empty. */
function hasField(values: unknown, path: string): boolean {
  let current = values;
  for (const part of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, part)) return false;
    current = (current as Record<string, unknown>)[part];
  }
  return true;
}
