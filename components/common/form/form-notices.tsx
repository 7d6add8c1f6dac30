"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";

export type FormNoticesProps = {
  /** Whether a required field is empty. */
  isIncomplete: boolean;
  /** Errors that are not shown at a field. */
  messages: readonly string[];
  /** Why the form was not sent. */
  problem?: { title: string; detail: string } | null;
};

/** Why a form was not sent, as far as it is not shown at a field. */
export function FormNotices({ isIncomplete, messages, problem = null }: FormNoticesProps) {
  const t = useTranslations("validation");
  return (
    <>
      {isIncomplete && (
        <Alert tone="danger" title={t("title")}>
          {t("required")}
        </Alert>
      )}
      {messages.length > 0 && (
        <Alert tone="danger">
          {messages.map((message) => (
            <p key={message}>{message}</p>
          ))}
        </Alert>
      )}
      {problem && (
        <Alert tone="danger" title={problem.title}>
          {problem.detail}
        </Alert>
      )}
    </>
  );
}

const CONTROLS = "input, select, textarea, button, [tabindex]";

/**
 * Focuses the first invalid field of a form.
 * @returns the form's ref, and a function to call after the errors are in the state: the focus is set after the next render
 */
export function useFocusOnInvalid() {
  const form = useRef<HTMLFormElement>(null);
  const [failureCount, setFailureCount] = useState(0);

  // Runs after the render that shows the errors.
  useEffect(() => {
    if (failureCount === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    const target = wrong?.matches(CONTROLS) ? wrong : wrong?.querySelector<HTMLElement>(CONTROLS);
    target?.focus();
  }, [failureCount]);

  return { form, focusInvalid: () => setFailureCount((count) => count + 1) };
}
