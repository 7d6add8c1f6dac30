"use client";

import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Alert } from "@/components/ui/alert";
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
import type { ApiProblem } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";
import { Form } from "../form/form";
import { FormField } from "../form/form-field";
import { OtpInput } from "../form/otp-input";
import { useZodForm } from "../form/use-zod-form";
import { usePasskeySupport } from "../passkeys/use-passkey-support";
import { leaveForEnrollment } from "../session/leave";
import type { DialogProps } from "../use-dialog";
import { usePasskeyConfirmation } from "./use-passkey-confirmation";

export type SecondFactorDialogProps = DialogProps & {
  options: OperationOutput<"auth/get-second-factor-options">;
  onConfirmed: () => void;
};

const codeSchema = () =>
  import("@/lib/features/two-factor/schema").then(
    ({ validateTwoFactorEnrollmentInput }) => validateTwoFactorEnrollmentInput,
  );

/**
 * Asks for a code of the authenticator app or for a passkey. A user who has neither is led to the setup of two-factor
 * authentication, which returns to this page.
 */
export function SecondFactorDialog({ open, onOpenChange, options, onConfirmed }: SecondFactorDialogProps) {
  const t = useTranslations("secondFactor");
  const common = useTranslations("common");
  const proof = useTranslations("twoFactor.proof");
  const formId = useId();
  const form = useZodForm(codeSchema, { defaultValues: { code: "" } });
  const confirm = useOperation("auth/confirm-second-factor");
  const [failure, setFailure] = useState<ApiProblem>();
  const passkey = usePasskeyConfirmation({ confirm: confirm.run, onConfirmed });
  const offersPasskey = usePasskeySupport() === "available" && options.passkey !== null;
  const canConfirm = options.totp || options.passkey !== null;

  const submit = async ({ code }: { code: string }) => {
    setFailure(undefined);
    const result = await confirm.run({ code });
    if (result.ok) return result;
    const { problem } = result;
    if (problem.code === "invalid_otp" || problem.code === "rate_limited") {
      form.setError("code", { type: "server", message: problem.detail });
    } else if (problem.errors.length === 0) {
      setFailure(problem);
    }
    form.setFocus("code", { shouldSelect: true });
    return result;
  };

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="sm">
        <DialogHeader>
          <DialogTitle>{t("title")}</DialogTitle>
          <DialogDescription>{t(canConfirm ? "description" : "enroll")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4 pb-4">
          {options.totp && (
            <Form id={formId} form={form} onSubmit={submit} onSuccess={onConfirmed}>
              <FormField control={form.control} name="code" label={proof("code")} hint={proof("codeHint")}>
                {(field) => <OtpInput {...field} sendWhenComplete />}
              </FormField>
            </Form>
          )}
          {failure && (
            <Alert tone="danger" title={failure.title}>
              {failure.detail}
            </Alert>
          )}
          {offersPasskey && (
            <Button variant="secondary" size="lg" loading={passkey.pending} onClick={passkey.ask}>
              <Fingerprint aria-hidden />
              {t("passkey")}
            </Button>
          )}
          {passkey.notice && (
            <Alert tone={passkey.notice.tone === "failed" ? "danger" : "info"}>{passkey.notice.text}</Alert>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {common("cancel")}
          </Button>
          {options.totp && (
            <Button type="submit" form={formId} loading={form.formState.isSubmitting}>
              {t("submit")}
            </Button>
          )}
          {!canConfirm && <Button onClick={leaveForEnrollment}>{t("begin")}</Button>}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
