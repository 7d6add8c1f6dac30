"use client";

import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Slot } from "radix-ui";
import { type ReactElement, type ReactNode, useId } from "react";
import { cn } from "./cn";
import { Label } from "./label";

/** What a form control needs so that label, hint and error belong to it. */
export type FieldControlProps = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "aria-required": true | undefined;
};

export type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  /** Text of what is wrong; shown under the control in place of nothing, next to the hint. */
  error?: ReactNode;
  /** Marks the field as one that may stay empty. */
  optional?: boolean;
  /** At the end of the label's line, and reached by the keyboard after the control: a link, a counter. */
  labelEnd?: ReactNode;
  className?: string;
  /** The control itself (it gets id and aria attributes), or a function of these for one made of parts. */
  children: ReactElement | ((control: FieldControlProps) => ReactNode);
};

/** One form field: label, control, hint and error, tied together for assistive technology. */
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
        {optional && <span className="font-normal text-muted-foreground text-xs">{t("optional")}</span>}
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

/** What is wrong with a field; announced when it appears. */
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
