"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  type DialogContentProps,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { ConfirmDialog } from "./confirm-dialog";
import { Form, type FormProps } from "./form/form";
import type { DialogProps } from "./use-dialog";

export type FormDialogProps<Input extends FieldValues, Output> = Pick<
  FormProps<Input, Output>,
  "form" | "onSubmit" | "onSuccess" | "children"
> &
  DialogProps & {
    title: ReactNode;
    description?: ReactNode;
    /** The button that sends: "Create application". */
    submitLabel: ReactNode;
    size?: DialogContentProps["size"];
  };

/**
 * A form in a dialog (on the phone, a sheet of full height). It closes after a success; a failure leaves it open with
 * everything that was typed. Closing it with unsaved input asks first.
 */
export function FormDialog<Input extends FieldValues, Output>({
  open,
  onOpenChange,
  title,
  description,
  form,
  onSubmit,
  onSuccess,
  submitLabel,
  size,
  children,
}: FormDialogProps<Input, Output>) {
  const t = useTranslations("common");
  const formId = useId();
  const [asking, setAsking] = useState(false);
  const { isDirty, isSubmitting } = form.formState;

  useEffect(() => {
    if (!open || !isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [open, isDirty]);

  const requestClose = () => {
    if (isSubmitting) return;
    if (isDirty) setAsking(true);
    else onOpenChange(false);
  };

  return (
    <Dialog open={open} onOpenChange={(next) => (next ? onOpenChange(true) : requestClose())}>
      <DialogContent size={size} {...(!description && { "aria-describedby": undefined })}>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          {description && <DialogDescription>{description}</DialogDescription>}
        </DialogHeader>
        <DialogBody>
          <Form
            id={formId}
            form={form}
            onSubmit={onSubmit}
            onSuccess={() => {
              onOpenChange(false);
              onSuccess?.();
            }}
            className="pt-1 pb-4"
          >
            {children}
          </Form>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={requestClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" form={formId} loading={isSubmitting}>
            {submitLabel}
          </Button>
        </DialogFooter>
        <ConfirmDialog
          open={asking}
          onOpenChange={setAsking}
          title={t("discard.title")}
          description={t("discard.description")}
          cancelLabel={t("discard.keep")}
          confirmLabel={t("discard.confirm")}
          onConfirm={() => onOpenChange(false)}
        />
      </DialogContent>
    </Dialog>
  );
}
