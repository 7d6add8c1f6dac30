"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form } from "@/components/common/form/form";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { LinkButton } from "@/components/common/link-button";
import { AuthPanel } from "@/components/common/shell/auth-panel";
import { Button } from "@/components/ui/button";
import { useOperation } from "@/lib/client/use-operation";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { ExpiredLink } from "./expired-link";
import { WithCryptography } from "./https-needed";
import { NewPasswordFields } from "./new-password-fields";
import type { ResetPasswordValues } from "./reset-password-schema";
import { useSealedSend } from "./use-sealed-send";

export type ResetPasswordFormProps = {
  /** The token of the one-time link. */
  token: string;
  /** The email of the account. */
  email: string;
  /** The console's name, if the link is an invitation. */
  welcomeTo?: string;
};

/** Sets a new password with the link of a recovery or an invitation. */
export function ResetPasswordForm({ token, email, welcomeTo }: ResetPasswordFormProps) {
  const t = useTranslations("resetPassword");
  const [outcome, setOutcome] = useState<"done" | "expired" | null>(null);

  if (outcome === "expired") return <ExpiredLink replaces />;
  if (outcome === "done") {
    return (
      <AuthPanel replaces title={t("done.title")} description={t("done.description")}>
        <LinkButton href={PAGES.signIn} size="lg">
          {t("done.action")}
        </LinkButton>
      </AuthPanel>
    );
  }
  return (
    <AuthPanel
      title={welcomeTo === undefined ? t("title") : t("invitation.title", { name: welcomeTo })}
      description={t(welcomeTo === undefined ? "description" : "invitation.description", { email })}
    >
      <WithCryptography>
        <PasswordForm token={token} email={email} onEnd={setOutcome} />
      </WithCryptography>
    </AuthPanel>
  );
}

function PasswordForm({
  token,
  email,
  onEnd,
}: Pick<ResetPasswordFormProps, "token" | "email"> & { onEnd: (outcome: "done" | "expired") => void }) {
  const t = useTranslations("resetPassword");
  const update = useOperation("auth/update-password", { quiet: true });
  const sendSealed = useSealedSend();
  const form = useZodForm(() => import("./reset-password-schema").then((file) => file.resetPasswordSchema), {
    defaultValues: { password: "", confirmation: "" },
  });

  const submit = async ({ password }: ResetPasswordValues) => {
    const result = await sendSealed(password, (sealed) => update.run({ token, password: sealed }));
    if (result.ok) onEnd("done");
    else if (result.problem.code === "link_expired") onEnd("expired");
    else if (result.problem.errors.length === 0) {
      form.setError("root", { message: `${result.problem.title}. ${result.problem.detail}` });
    }
    return result;
  };

  return (
    <Form form={form} onSubmit={submit}>
      {/* For password managers, which would otherwise store the new password without its account. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields control={form.control} />
      <Button type="submit" size="lg" loading={form.formState.isSubmitting} className="mt-1">
        {t("submit")}
      </Button>
    </Form>
  );
}
