"use client";

import { useFormState } from "react-hook-form";
import { Button, type ButtonProps } from "@/components/ui/button";

/** The submit button of the surrounding form; shows progress while the form is submitting. */
export function SubmitButton(props: Omit<ButtonProps, "type" | "loading">) {
  const { isSubmitting } = useFormState();
  return <Button type="submit" loading={isSubmitting} {...props} />;
}
