"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form } from "@/components/common/form/form";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { LinkButton } from "@/components/common/link-button";
import { NewPasswordFields } from "@/components/common/password/new-password-fields";
import { useSealedSend } from "@/components/common/password/use-sealed-send";
import { enterConsole } from "@/components/common/session/enter-console";
import { AuthPanel } from "@/components/common/shell/auth-panel";
import { Button } from "@/components/ui/button";
import { useOperation } from "@/lib/client/use-operation";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { ExpiredLink } from "./expired-link";
import { WithCryptography } from "./https-needed";
import type { ResetPasswordValues } from "./reset-password-schema";
import { rememberSignInEmail } from "./sign-in-email";

export type ResetPasswordFormProps = {
  /** The token of the one-time link. */
  token: string;
  /** The email of the account. */
  email: string;
  /** The console's name, if the link is an invitation. */
  welcomeTo?: string;
};

/** Sets a new password with the link of a recovery or an invitation. An invited person is signed in with it. */
export function ResetPasswordForm({ token, email, welcomeTo }: ResetPasswordFormProps) {
  const t = useTranslations("resetPassword");
  const [outcome, setOutcome] = useState<"done" | "expired" | null>(null);

  if (outcome === "expired") return <ExpiredLink replaces />;
  if (outcome === "done") {
    return (
      <AuthPanel
        replaces
        title={t("done.title")}
        description={t(welcomeTo === undefined ? "done.description" : "done.invitationDescription")}
      >
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
        <PasswordForm token={token} email={email} signsIn={welcomeTo !== undefined} onEnd={setOutcome} />
      </WithCryptography>
    </AuthPanel>
  );
}

type PasswordFormProps = Pick<ResetPasswordFormProps, "token" | "email"> & {
  /** Whether the person is signed in with the new password, as after an invitation. */
  signsIn: boolean;
  onEnd: (outcome: "done" | "expired") => void;
};

function PasswordForm({ token, email, signsIn, onEnd }: PasswordFormProps) {
  const t = useTranslations("resetPassword");
  const update = useOperation("auth/update-password", { quiet: ["link_expired"] });
  const login = useOperation("auth/email-login", { quiet: true });
  const [leaving, setLeaving] = useState(false);
  const sendSealed = useSealedSend();
  const form = useZodForm(() => import("./reset-password-schema").then((file) => file.resetPasswordSchema), {
    defaultValues: { password: "", confirmation: "" },
  });

  const submit = async ({ password }: ResetPasswordValues) => {
    const result = await sendSealed(password, (sealed) => update.run({ token, password: sealed }));
    if (result.ok) {
      const signedIn = signsIn
        ? await sendSealed(password, (sealed) => login.run({ email, password: sealed }))
        : undefined;
      if (signedIn?.ok) {
        setLeaving(true);
        enterConsole(signedIn.data.user, null);
      } else {
        rememberSignInEmail(email);
        onEnd("done");
      }
    } else if (result.problem.code === "link_expired") onEnd("expired");
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
      <Button type="submit" size="lg" loading={form.formState.isSubmitting || leaving} className="mt-1">
        {t("submit")}
      </Button>
    </Form>
  );
}
