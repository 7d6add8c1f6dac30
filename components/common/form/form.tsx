"use client";

import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { type FieldValues, FormProvider, type UseFormReturn } from "react-hook-form";
import { cn } from "@/components/ui/cn";
import { showInPlace } from "@/lib/client/shown-problems";
import { FormNotices, useFocusOnInvalid } from "./form-notices";
import { hasPendingInput } from "./pending-input";
import {
  hasRequiredError,
  isShownAtField,
  type SubmitProblem,
  type SubmitResult,
  showProblem,
  unshownProblem,
} from "./submit";

export type FormProps<Input extends FieldValues, Output, Data> = {
  form: UseFormReturn<Input, unknown, Output>;
  /**
   * Submits the validated values. The result decides whether the form shows errors or calls `onSuccess`.
   * @param input what the fields contained when the form was sent; the user can change them while the request runs
   */
  onSubmit: (values: Output, input: Input) => Promise<SubmitResult<Data> | undefined> | Promise<void>;
  /**
   * @param data that of the result; undefined if the result has none
   * @param input as for `onSubmit`
   */
  onSuccess?: (data: Data, input: Input) => void;
  id?: string;
  /** The element that shows why the form was not sent, if not the form itself: that of a dialog, above its buttons. */
  noticesPlace?: HTMLElement | null;
  className?: string;
  children: ReactNode;
};

/** Why the form was not sent, as far as it is not shown at a field. */
type Failure = { unassigned: readonly string[]; problem: SubmitProblem | null };

const NO_FAILURE: Failure = { unassigned: [], problem: null };

/**
 * A form that submits once at a time, keeps the input if submitting fails, shows the server's errors under their fields,
 * any other failure as a notice, and focuses the first invalid field. Use `FormField` for its fields and `SubmitButton` for its button.
 */
export function Form<Input extends FieldValues, Output, Data>({
  form,
  onSubmit,
  onSuccess,
  id,
  noticesPlace,
  className,
  children,
}: FormProps<Input, Output, Data>) {
  const { form: element, focusInvalid } = useFocusOnInvalid();
  const submitting = useRef(false);
  const [failure, setFailure] = useState<Failure>(NO_FAILURE);

  /** @returns whether the values were submitted */
  const submitValues = async (values: Output, input: Input): Promise<boolean> => {
    if (submitting.current) return true;
    submitting.current = true;
    setFailure(NO_FAILURE);
    try {
      const result = await onSubmit(values, input);
      if (!result || result.ok) {
        onSuccess?.(result?.data as Data, input);
        return true;
      }
      const unassigned = showProblem(form, result.problem);
      const problem = unshownProblem(result.problem);
      // A field shows the detail alone, and the notification also what could not be done.
      const isNoticed = problem !== null && !isShownAtField(form.getErrors(), problem.detail);
      if (isNoticed || unassigned.length > 0) showInPlace(result.problem);
      setFailure({ unassigned, problem });
      return false;
    } finally {
      submitting.current = false;
    }
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    // Events of a form in a dialog bubble to the form that the dialog was opened from, which must not be submitted.
    event.stopPropagation();
    // The button shows progress, but the Enter key sends a form without a button, too.
    if (hasPendingInput(form.control)) {
      event.preventDefault();
      return;
    }
    let failed = false;
    const input = structuredClone(form.getValues());
    const handle = form.handleSubmit(
      async (values) => {
        failed = !(await submitValues(values, input));
      },
      () => {
        failed = true;
      },
    );
    await handle(event);
    // The errors are in the form's state only now.
    if (failed) focusInvalid();
  };

  const { errors } = form.formState;
  const rootError = errors.root?.message;
  const messages = [...(rootError ? [rootError] : []), ...failure.unassigned];
  // A form that explains the failure itself has set the error of the whole form or of a field.
  const isExplained = rootError !== undefined || isShownAtField(errors, failure.problem?.detail ?? "");
  const notices = (
    <FormNotices
      isIncomplete={hasRequiredError(errors)}
      messages={messages}
      problem={isExplained ? null : failure.problem}
    />
  );
  return (
    <FormProvider {...form}>
      <form
        ref={element}
        id={id}
        noValidate
        onSubmit={(event) => void submit(event)}
        className={cn("flex flex-col gap-4", className)}
      >
        {noticesPlace === undefined ? notices : noticesPlace && createPortal(notices, noticesPlace)}
        {children}
      </form>
    </FormProvider>
  );
}
