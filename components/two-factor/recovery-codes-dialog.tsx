"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { FormField } from "@/components/common/form/form-field";
import { OtpInput } from "@/components/common/form/otp-input";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { useOperation } from "@/lib/client/use-operation";
import { createRecoveryCodesInput } from "@/lib/features/two-factor/schema";
import { RecoveryCodes } from "./recovery-codes";

/** Replaces the recovery codes, after a code was entered, and shows the new codes once. */
export function RecoveryCodesDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("twoFactor.renew");
  const words = useTranslations("twoFactor.proof");
  const router = useRouter();
  const create = useOperation("auth/create-recovery-codes");
  // A form closes its dialog on success, but the codes still have to be shown.
  const created = useRef(false);
  // The element that had the focus before. The second dialog replaces the first and cannot determine it.
  const [opener] = useState(() => document.activeElement);
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useZodForm(createRecoveryCodesInput, { defaultValues: { code: "" } });

  const submit = async (input: { code: string }) => {
    const result = await create.run(input);
    if (result.ok) {
      created.current = true;
      setCodes(result.data.recoveryCodes);
    } else if (result.problem.errors.length === 0) {
      form.setError("code", { type: "server", message: result.problem.detail });
    }
    return result;
  };

  if (codes) {
    const keepOpen = (event: Event) => event.preventDefault();
    const close = () => {
      onOpenChange(false);
      router.refresh();
    };
    const returnFocus = (event: Event) => {
      if (!(opener instanceof HTMLElement)) return;
      event.preventDefault();
      opener.focus();
    };
    return (
      <Dialog open={open} onOpenChange={(next) => !next && close()}>
        <DialogContent size="lg" onInteractOutside={keepOpen} onEscapeKeyDown={keepOpen} onCloseAutoFocus={returnFocus}>
          <DialogHeader>
            <DialogTitle>{t("newTitle")}</DialogTitle>
            <DialogDescription>{t("newDescription")}</DialogDescription>
          </DialogHeader>
          <DialogBody className="pb-5">
            <RecoveryCodes codes={codes} />
          </DialogBody>
          <DialogFooter>
            <Button onClick={close}>{t("saved")}</Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    );
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={(next) => !created.current && onOpenChange(next)}
      title={t("title")}
      description={t("description")}
      form={form}
      onSubmit={submit}
      submitLabel={t("confirm")}
    >
      <FormField control={form.control} name="code" label={words("code")}>
        {(field) => <OtpInput {...field} />}
      </FormField>
    </FormDialog>
  );
}
