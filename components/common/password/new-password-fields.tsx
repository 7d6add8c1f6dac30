"use client";

import { Circle, CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { type Control, type FieldPath, type FieldValues, useWatch } from "react-hook-form";
import { FormField } from "@/components/common/form/form-field";
import { cn } from "@/components/ui/cn";
import { PasswordInput } from "@/components/ui/password-input";
import { isLongEnough, MIN_PASSWORD_LENGTH } from "@/lib/kernel/password-limits";

type NewPassword = { password: string; confirmation: string };

export type NewPasswordFieldsProps<Input extends FieldValues & NewPassword, Output> = {
  control: Control<Input, unknown, Output>;
  /** Whether the form also has the current password, so that the new one is called new. */
  besideCurrent?: boolean;
};

/** A new password and its confirmation, with hints about good passwords. */
export function NewPasswordFields<Input extends FieldValues & NewPassword, Output>({
  control,
  besideCurrent = false,
}: NewPasswordFieldsProps<Input, Output>) {
  const t = useTranslations("newPassword");
  const name = (field: keyof NewPassword) => field as FieldPath<Input>;
  const longEnough = isLongEnough(useWatch({ control, name: name("password") }) ?? "");
  const Icon = longEnough ? CircleCheck : Circle;
  return (
    <>
      <FormField
        control={control}
        name={name("password")}
        label={t(besideCurrent ? "newPassword" : "password")}
        hint={
          <>
            <span className={cn("flex items-center gap-1.5", longEnough && "text-success")}>
              <Icon aria-hidden className="size-3.5 shrink-0" />
              {t("length", { limit: MIN_PASSWORD_LENGTH })}
            </span>
            <span className="mt-1 block text-pretty">{t("ownWords")}</span>
          </>
        }
      >
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
      <FormField control={control} name={name("confirmation")} label={t("confirmation")}>
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
    </>
  );
}
