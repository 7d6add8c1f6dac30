"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
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
import { notify } from "@/lib/client/notify";
import { Form, type FormProps } from "./form/form";
import { usePendingInput } from "./form/pending-input";
import { useGuardedClose } from "./guarded-close";
import type { DialogProps } from "./use-dialog";

export type FormDialogProps<Input extends FieldValues, Output, Data> = Pick<
  FormProps<Input, Output, Data>,
  "form" | "onSubmit" | "onSuccess" | "children"
> &
  DialogProps & {
    title: ReactNode;
    description?: ReactNode;
    /** The text of the submit button, such as "Create application". */
    submitLabel: ReactNode;
    /** Whether there is something to submit; by default, there is. */
    canSubmit?: boolean;
    /** The notification after the form was sent, from what `onSubmit` resolved with. */
    successNotice?: (data: Data) => string;
    /** Whether the page is read again after the form was sent. */
    refreshes?: boolean;
    /** What the input means, always visible between the fields and the buttons. */
    summary?: ReactNode;
  } & Pick<DialogContentProps, "size" | "steady">;

/**
 * A form in a dialog (on phones, a full-height sheet). The dialog closes on success. On failure it stays open with all
 * input. Closing it with unsaved input asks for confirmation.
 */
export function FormDialog<Input extends FieldValues, Output, Data>({
  open,
  onOpenChange,
  title,
  description,
  form,
  onSubmit,
  onSuccess,
  successNotice,
  refreshes = false,
  submitLabel,
  canSubmit = true,
  size,
  steady,
  summary,
  children,
}: FormDialogProps<Input, Output, Data>) {
  const t = useTranslations("common");
  const router = useRouter();
  const formId = useId();
  const [noticesPlace, setNoticesPlace] = useState<HTMLElement | null>(null);
  const { isDirty, isSubmitting } = form.formState;
  const isWaiting = usePendingInput(form.control);
  const close = useGuardedClose({ open, onOpenChange, unsaved: isDirty || isWaiting, busy: isSubmitting });

  return (
    <Dialog open={open} onOpenChange={close.onOpenChange}>
      <DialogContent size={size} steady={steady} {...(!description && { "aria-describedby": undefined })}>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          {description && <DialogDescription>{description}</DialogDescription>}
        </DialogHeader>
        <DialogBody>
          <Form
            id={formId}
            form={form}
            noticesPlace={noticesPlace}
            onSubmit={onSubmit}
            onSuccess={(data, input) => {
              onOpenChange(false);
              if (successNotice) notify.success(successNotice(data));
              if (refreshes) router.refresh();
              onSuccess?.(data, input);
            }}
            className="pt-1 pb-4"
          >
            {children}
          </Form>
        </DialogBody>
        {/* Above the buttons and outside of what scrolls, so that a failure is visible where it was caused. */}
        <div
          ref={setNoticesPlace}
          className="flex max-h-40 shrink-0 flex-col gap-2 overflow-y-auto px-5 pb-3 empty:hidden"
        />
        {summary}
        <DialogFooter>
          <Button variant="secondary" onClick={close.requestClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" form={formId} loading={isSubmitting || isWaiting} disabled={!canSubmit}>
            {submitLabel}
          </Button>
        </DialogFooter>
        {close.confirmation}
      </DialogContent>
    </Dialog>
  );
}
