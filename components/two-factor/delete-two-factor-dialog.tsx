"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/common/form-dialog";
import { leaveAfterSignOut } from "@/components/common/session/leave";
import type { DialogProps } from "@/components/common/use-dialog";
import { Alert } from "@/components/ui/alert";
import { useOperation } from "@/lib/client/use-operation";
import type { Proof } from "@/lib/features/two-factor/schema";
import { ProofField } from "./proof-field";
import { showRefusedCode, useProofForm } from "./use-proof-form";

/** Turns off the user's two-factor authentication, which ends the session. */
export function DeleteTwoFactorDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("twoFactor.delete");
  const remove = useOperation("auth/delete-two-factor");
  const form = useProofForm();

  const submit = async (proof: Proof) => {
    const result = await remove.run(proof);
    if (!result.ok) showRefusedCode(form, result.problem);
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title")}
      description={t("description")}
      form={form}
      onSubmit={submit}
      onSuccess={() => void leaveAfterSignOut()}
      submitLabel={t("confirm")}
    >
      <Alert tone="warning">{t("endsSession")}</Alert>
      <ProofField form={form} />
    </FormDialog>
  );
}
