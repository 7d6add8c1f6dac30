"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { AuthPanel } from "@/components/common/shell/auth-panel";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { useOperation } from "@/lib/client/use-operation";
import { BackToLogin } from "./back-to-login";

/** Requests a recovery link, and says where to look for it. */
export function RecoveryForm() {
  const t = useTranslations("recovery");
  const recover = useOperation("auth/generate-password-recovery");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [again, setAgain] = useState(false);
  const form = useZodForm(
    () => import("@/lib/features/passwords/schema").then((file) => file.generatePasswordRecoveryInput),
    { defaultValues: { email: "" } },
  );

  if (sentTo !== null) {
    return (
      <AuthPanel
        replaces
        title={t("sent.title")}
        description={t("sent.description", { email: sentTo })}
        footer={<BackToLogin />}
      >
        <p className="text-pretty text-muted-foreground leading-5">{t("sent.nothing")}</p>
        <Button
          size="lg"
          variant="secondary"
          onClick={() => {
            setAgain(true);
            setSentTo(null);
          }}
        >
          {t("sent.again")}
        </Button>
      </AuthPanel>
    );
  }

  const send = async ({ email }: { email: string }) => {
    const result = await recover.run({ email });
    if (result.ok) setSentTo(email);
    else if (result.problem.errors.length === 0) {
      form.setError("root", { message: `${result.problem.title}. ${result.problem.detail}` });
    }
    return result;
  };

  return (
    <AuthPanel replaces={again} title={t("title")} description={t("description")} footer={<BackToLogin />}>
      <Form form={form} onSubmit={send}>
        <FormField control={form.control} name="email" label={t("email")}>
          {(field) => (
            <Input
              {...field}
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={!again}
            />
          )}
        </FormField>
        <Button type="submit" size="lg" loading={form.formState.isSubmitting} className="mt-1">
          {t("submit")}
        </Button>
      </Form>
    </AuthPanel>
  );
}
