"use client";

import { useFormState } from "react-hook-form";
import { Button, type ButtonProps } from "@/components/ui/button";

/** The button of the form around it; shows progress while the form is sending. */
export function SubmitButton(props: Omit<ButtonProps, "type" | "loading">) {
  const { isSubmitting } = useFormState();
  return <Button type="submit" loading={isSubmitting} {...props} />;
}
