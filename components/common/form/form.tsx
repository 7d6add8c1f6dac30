"use client";

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type FieldValues, FormProvider, type UseFormReturn } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { cn } from "@/components/ui/cn";
import { type SubmitResult, showProblem } from "./submit";

export type FormProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  /** Sends the checked values. What it answers decides whether the form shows errors or calls `onSuccess`. */
  onSubmit: (values: Output) => Promise<SubmitResult | undefined> | Promise<void>;
  onSuccess?: () => void;
  id?: string;
  className?: string;
  children: ReactNode;
};

/**
 * A form that sends once at a time, keeps what was typed when sending fails, shows the server's errors under their
 * fields and moves the focus to the first wrong one. Fields are `FormField`s; the button is a `SubmitButton`.
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
  const sending = useRef(false);
  const [homeless, setHomeless] = useState<string[]>([]);
  const [refusals, setRefusals] = useState(0);

  // After the render that brought the errors to the page.
  useEffect(() => {
    if (refusals === 0) return;
    const wrong = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    const target = wrong?.matches("input, select, textarea, button, [tabindex]")
      ? wrong
      : wrong?.querySelector<HTMLElement>("input, select, textarea, button, [tabindex]");
    target?.focus();
  }, [refusals]);

  const focusFirstError = () => setRefusals((count) => count + 1);

  const send = async (values: Output) => {
    if (sending.current) return;
    sending.current = true;
    setHomeless([]);
    try {
      const result = await onSubmit(values);
      if (!result || result.ok) {
        onSuccess?.();
        return;
      }
      setHomeless(showProblem(form, result.problem));
      focusFirstError();
    } finally {
      sending.current = false;
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    // A form inside a dialog must not submit the one that the dialog was opened from.
    event.stopPropagation();
    void form.handleSubmit(send, focusFirstError)(event);
  };

  const rootError = form.formState.errors.root?.message;
  const notices = rootError ? [rootError, ...homeless] : homeless;
  return (
    <FormProvider {...form}>
      <form ref={element} id={id} noValidate onSubmit={submit} className={cn("flex flex-col gap-4", className)}>
        {notices.length > 0 && (
          <Alert tone="danger">
            {notices.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </Alert>
        )}
        {children}
      </form>
    </FormProvider>
  );
}
