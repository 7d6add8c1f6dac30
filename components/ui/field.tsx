"use client";

import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Slot } from "radix-ui";
import { type ReactElement, type ReactNode, useId } from "react";
import { cn } from "./cn";
import { Label } from "./label";

/** The props that connect a form control with its label, hint and error. */
export type FieldControlProps = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "aria-required": true | undefined;
};

export type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  /** The error text, shown below the control next to the hint. */
  error?: ReactNode;
  /** Marks the field as optional; "unmarked" if the section around it says so already. */
  optional?: boolean | "unmarked";
  /** Shown at the end of the label's line, after the control in the tab order: a link, a counter. */
  labelEnd?: ReactNode;
  className?: string;
  /** The control, which receives an ID and aria attributes, or a function of these for a control made of parts. */
  children: ReactElement | ((control: FieldControlProps) => ReactNode);
};

/** A form field: label, control, hint and error, connected for assistive technology. */
export function Field({ label, hint, error, optional = false, labelEnd, className, children }: FieldProps) {
  const t = useTranslations("common");
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const control: FieldControlProps = {
    id,
    "aria-describedby": [error ? errorId : null, hint ? hintId : null].filter(Boolean).join(" ") || undefined,
    "aria-invalid": error ? true : undefined,
    "aria-required": optional ? undefined : true,
  };
  return (
    <div data-slot="field" className={cn("relative flex min-w-0 flex-col gap-1.5", className)}>
      <Label htmlFor={id} className="self-start">
        {label}
        {optional === true && <span className="font-normal text-muted-foreground text-xs">{t("optional")}</span>}
      </Label>
      {typeof children === "function" ? children(control) : <Slot.Root {...control}>{children}</Slot.Root>}
      {labelEnd && <div className="absolute top-0 right-0 flex text-sm leading-5">{labelEnd}</div>}
      {hint && (
        <p id={hintId} data-slot="field-hint" className="text-muted-foreground text-xs leading-4.5">
          {hint}
        </p>
      )}
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  );
}

/** The error of a field, announced when it appears. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div id={id} data-slot="field-error" aria-live="polite" className="empty:hidden">
      {children ? (
        <p className="flex items-start gap-1.5 text-danger text-xs leading-4.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span>{children}</span>
        </p>
      ) : null}
    </div>
  );
}
