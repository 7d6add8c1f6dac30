"use client";

import { useTranslations } from "next-intl";
import type { UseFormReturn } from "react-hook-form";
import { FormField } from "@/components/common/form/form-field";
import { OtpInput } from "@/components/common/form/otp-input";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { Proof } from "@/lib/features/two-factor/schema";
import type { ProofValues } from "./proof-schema";

export type ProofForm = UseFormReturn<ProofValues, unknown, Proof>;

export type ProofFieldProps = {
  form: ProofForm;
  /** Submits the form when a code is complete. */
  sendWhenComplete?: boolean;
  autoFocus?: boolean;
};

/** Asks for a code of the app or, without the phone, for a recovery code. */
export function ProofField({ form, sendWhenComplete, autoFocus }: ProofFieldProps) {
  const t = useTranslations("twoFactor.proof");
  const by = form.watch("by");

  const change = (next: ProofValues["by"]) => {
    form.reset({ by: next, code: "", recoveryCode: "" });
    // The other field exists only after this render.
    requestAnimationFrame(() => form.setFocus(next));
  };

  return (
    <div className="flex flex-col items-start gap-2">
      {by === "code" ? (
        <FormField
          key="code"
          control={form.control}
          name="code"
          label={t("code")}
          hint={t("codeHint")}
          className="w-full"
        >
          {(field) => <OtpInput {...field} sendWhenComplete={sendWhenComplete} autoFocus={autoFocus} />}
        </FormField>
      ) : (
        <FormField
          key="recoveryCode"
          control={form.control}
          name="recoveryCode"
          label={t("recoveryCode")}
          hint={t("recoveryCodeHint")}
          className="w-full"
        >
          {(field) => (
            <Input {...field} autoComplete="off" autoCapitalize="none" spellCheck={false} className="font-mono" />
          )}
        </FormField>
      )}
      <Button
        variant="link"
        size="sm"
        className="-mx-2.5 h-auto max-w-full whitespace-normal py-1.5 text-start lg:h-auto lg:py-1"
        onClick={() => change(by === "code" ? "recoveryCode" : "code")}
      >
        {t(by === "code" ? "useRecoveryCode" : "useCode")}
      </Button>
    </div>
  );
}
