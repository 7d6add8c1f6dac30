import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";

/** A refusal as a form needs it: words, and which fields are wrong. An API problem is one. */
export type SubmitProblem = {
  title: string;
  detail: string;
  /** `path` is dotted, as in the request; `message` is in the reader's language. */
  errors: readonly { path: string; message: string }[];
};

/** How a submission ended; what `useOperation().run()` gives is one. Nothing at all counts as success. */
export type SubmitResult = { ok: true } | { ok: false; problem: SubmitProblem };

/**
 * Shows each wrong field of a refusal under its control.
 *
 * @returns the messages of those that the form has no field for
 */
export function showProblem<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  problem: SubmitProblem,
): string[] {
  const homeless: string[] = [];
  for (const { path, message } of problem.errors) {
    if (hasField(form.getValues(), path)) form.setError(path as FieldPath<Input>, { type: "server", message });
    else homeless.push(message);
  }
  return homeless;
}

/** Tells whether the form's values hold something, even if empty, at a dotted path. */
function hasField(values: unknown, path: string): boolean {
  let current = values;
  for (const part of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, part)) return false;
    current = (current as Record<string, unknown>)[part];
  }
  return true;
}
