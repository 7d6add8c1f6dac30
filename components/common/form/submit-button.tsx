"use client";

import { useFormContext, useFormState } from "react-hook-form";
import { Button, type ButtonProps } from "@/components/ui/button";
import { usePendingInput } from "./pending-input";

/** The submit button of the surrounding form; shows progress while the form is submitting or a field waits for its value. */
export function SubmitButton(props: Omit<ButtonProps, "type" | "loading">) {
  const { isSubmitting } = useFormState();
  const isWaiting = usePendingInput(useFormContext().control);
  return <Button type="submit" loading={isSubmitting || isWaiting} {...props} />;
}
