"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { newPasswordSchema, PASSWORD_MISMATCH, passwordsMatch } from "@/components/common/password/new-password";
import { NewPasswordFields } from "@/components/common/password/new-password-fields";
import { useSealedSend } from "@/components/common/password/use-sealed-send";
import type { DialogProps } from "@/components/common/use-dialog";
import { PasswordInput } from "@/components/ui/password-input";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

const formSchema = z
  .strictObject({
    currentPassword: z.string().min(1),
    password: newPasswordSchema,
    confirmation: z.string().min(1),
  })
  .refine(passwordsMatch, PASSWORD_MISMATCH);

export type ChangePasswordDialogProps = DialogProps & { email: string };

/** Changes the user's password. */
export function ChangePasswordDialog({ email, open, onOpenChange }: ChangePasswordDialogProps) {
  const t = useTranslations("profile.password");
  const change = useOperation("auth/change-password");
  const sendSealed = useSealedSend();
  const form = useZodForm(formSchema, { defaultValues: { currentPassword: "", password: "", confirmation: "" } });

  const submit = async ({ currentPassword, password }: z.output<typeof formSchema>) => {
    // Each password needs an envelope with a nonce of its own.
    const result = await sendSealed(currentPassword, (current) =>
      sendSealed(password, (sealed) => change.run({ currentPassword: current, password: sealed })),
    );
    if (result.ok) notify.success(t("changed"), { description: t("changedDescription") });
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("change")}
      description={t("description")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("change")}
    >
      {/* For password managers, which would otherwise store the new password without its account. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormField control={form.control} name="currentPassword" label={t("current")}>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <NewPasswordFields control={form.control} besideCurrent />
    </FormDialog>
  );
}
