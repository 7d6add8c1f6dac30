"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { NewPasswordFields } from "@/components/common/password/new-password-fields";
import { useSealedSend } from "@/components/common/password/use-sealed-send";
import { notifyOtherTabs } from "@/components/common/session/session-channel";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { useOperation } from "@/lib/client/use-operation";
import { startPath } from "@/lib/kernel/navigation/pages";
import { WithCryptography } from "./https-needed";
import type { SetupValues } from "./setup-schema";

export type SetupFormProps = {
  /** The token of the one-time setup link. */
  token: string;
};

/** Creates the first administrator and signs them in. */
export function SetupForm(props: SetupFormProps) {
  return (
    <WithCryptography>
      <FirstAdminForm {...props} />
    </WithCryptography>
  );
}

function FirstAdminForm({ token }: SetupFormProps) {
  const t = useTranslations("setup");
  const setup = useOperation("auth/setup-first-admin");
  const sendSealed = useSealedSend();
  const [leaving, setLeaving] = useState(false);
  const form = useZodForm(() => import("./setup-schema").then((file) => file.setupSchema), {
    defaultValues: { firstNames: "", lastNames: "", email: "", password: "", confirmation: "" },
  });

  const submit = async ({ confirmation: _, password, ...admin }: SetupValues) => {
    const result = await sendSealed(password, (sealed) => setup.run({ ...admin, token, password: sealed }));
    if (!result.ok) {
      const { title, detail, errors } = result.problem;
      if (errors.length === 0) form.setError("root", { message: `${title}. ${detail}` });
      return result;
    }
    setLeaving(true);
    notifyOtherTabs({ type: "signed-in", userId: result.data.user.id });
    window.location.assign(startPath(true));
  };

  const { control } = form;
  return (
    <Form form={form} onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField control={control} name="firstNames" label={t("firstNames")}>
          {(field) => <Input {...field} autoComplete="given-name" autoFocus />}
        </FormField>
        <FormField control={control} name="lastNames" label={t("lastNames")}>
          {(field) => <Input {...field} autoComplete="family-name" />}
        </FormField>
      </div>
      <FormField control={control} name="email" label={t("email")}>
        {(field) => (
          <Input
            {...field}
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </FormField>
      <NewPasswordFields control={control} />
      <Button type="submit" size="lg" loading={form.formState.isSubmitting || leaving} className="mt-1">
        {t("submit")}
      </Button>
    </Form>
  );
}
