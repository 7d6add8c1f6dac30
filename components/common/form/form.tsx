"use client";

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type FieldValues, FormProvider, type UseFormReturn } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { cn } from "@/components/ui/cn";
import { type SubmitResult, showProblem } from "./submit";

export type FormProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  /** Submits the validated values. The result decides whether the form shows errors or calls `onSuccess`. */
  onSubmit: (values: Output) => Promise<SubmitResult | undefined> | Promise<void>;
  onSuccess?: () => void;
  id?: string;
  className?: string;
  children: ReactNode;
};

/**
 * A form that submits once at a time, keeps the input if submitting fails, shows the server's errors under their fields
 * and focuses the first invalid field. Use `FormField` for its fields and `SubmitButton` for its button.
 */
export function Form<Input extends FieldValues, Output>({
  form,
  onSubmit,
  onSuccess,
  id,
  className,
  children,
}: FormProps<Input, Output>) {
  const element = useRef<HTMLFormElement>(null);
  const submitting = useRef(false);
  const [unassigned, setUnassigned] = useState<string[]>([]);
  const [failureCount, setFailureCount] = useState(0);

  // Runs after the render that shows the errors.
  useEffect(() => {
    if (failureCount === 0) return;
    const wrong = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    const target = wrong?.matches("input, select, textarea, button, [tabindex]")
      ? wrong
      : wrong?.querySelector<HTMLElement>("input, select, textarea, button, [tabindex]");
    target?.focus();
  }, [failureCount]);

  /** @returns whether the values were submitted */
  const submitValues = async (values: Output): Promise<boolean> => {
    if (submitting.current) return true;
    submitting.current = true;
    setUnassigned([]);
    try {
      const result = await onSubmit(values);
      if (!result || result.ok) {
        onSuccess?.();
        return true;
      }
      setUnassigned(showProblem(form, result.problem));
      return false;
    } finally {
      submitting.current = false;
    }
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    // Events of a form in a dialog bubble to the form that the dialog was opened from, which must not be submitted.
    event.stopPropagation();
    let failed = false;
    const handle = form.handleSubmit(
      async (values) => {
        failed = !(await submitValues(values));
      },
      () => {
        failed = true;
      },
    );
    await handle(event);
    // The errors are in the form's state only now.
    if (failed) setFailureCount((count) => count + 1);
  };

  const rootError = form.formState.errors.root?.message;
  const messages = rootError ? [rootError, ...unassigned] : unassigned;
  return (
    <FormProvider {...form}>
      <form
        ref={element}
        id={id}
        noValidate
        onSubmit={(event) => void submit(event)}
        className={cn("flex flex-col gap-4", className)}
      >
        {messages.length > 0 && (
          <Alert tone="danger">
            {messages.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </Alert>
        )}
        {children}
      </form>
    </FormProvider>
  );
}
