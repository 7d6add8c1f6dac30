"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { HoverLink } from "@/components/common/hover-link";
import { useSealedSend } from "@/components/common/password/use-sealed-send";
import { enterConsole } from "@/components/common/session/enter-console";
import { hasLocalState } from "@/components/common/session/local-state-items";
import { onOtherTabs } from "@/components/common/session/session-channel";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { useOperation } from "@/lib/client/use-operation";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { WithCryptography } from "./https-needed";
import type { LoginValues } from "./login-schema";
import { OrDivider } from "./or-divider";
import { PasskeySignIn } from "./passkey-sign-in";
import { takeSignInEmail } from "./sign-in-email";

/** Errors about the input or the number of attempts keep their own text. All others are problems of the console. */
const CREDENTIAL_ERRORS = ["invalid_credentials", "rate_limited", "validation_failed"];

export type LoginFormProps = {
  /** Whether sign-in by email is turned on; otherwise, the fields are not shown. */
  email: boolean;
  /** The path that was requested before the sign-in, already checked to be a path of this console. */
  next: string | null;
};

/** Signs in by email and password or with a passkey, and opens the requested page. */
export function LoginForm(props: LoginFormProps) {
  return (
    <WithCryptography>
      <SignInMethods {...props} />
    </WithCryptography>
  );
}

function SignInMethods({ email, next }: LoginFormProps) {
  useSignedOutState(next);
  return (
    <div className="flex flex-col gap-5">
      {email && (
        <>
          <CredentialsForm next={next} />
          <OrDivider />
        </>
      )}
      <PasskeySignIn next={next} />
    </div>
  );
}

function CredentialsForm({ next }: Pick<LoginFormProps, "next">) {
  const t = useTranslations("auth");
  const login = useOperation("auth/email-login", { quiet: CREDENTIAL_ERRORS });
  const sendSealed = useSealedSend();
  const [leaving, setLeaving] = useState(false);
  const form = useZodForm(() => import("./login-schema").then((file) => file.loginSchema), {
    defaultValues: { email: "", password: "" },
  });

  useEffect(() => {
    const email = takeSignInEmail();
    if (!email) return;
    form.setValue("email", email);
    form.setFocus("password");
  }, [form]);

  const signIn = async ({ email, password }: LoginValues) => {
    const result = await sendSealed(password, (sealed) => login.run({ email, password: sealed }));
    if (!result.ok) {
      const { code, title, detail, errors } = result.problem;
      const message = CREDENTIAL_ERRORS.includes(code) ? detail : `${title}. ${detail}`;
      if (errors.length === 0) form.setError("root", { message });
      if (result.problem.code === "invalid_credentials") form.setFocus("password", { shouldSelect: true });
      return result;
    }
    const { user } = result.data;
    setLeaving(true);
    enterConsole(user, next);
  };

  return (
    <Form form={form} onSubmit={signIn}>
      <FormField control={form.control} name="email" label={t("email")}>
        {(field) => (
          <Input
            {...field}
            type="email"
            inputMode="email"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="password"
        label={t("password")}
        labelEnd={
          <HoverLink href={PAGES.passwordRecovery} className="text-link text-sm hover:underline">
            {t("forgotPassword")}
          </HoverLink>
        }
      >
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <Button type="submit" size="lg" loading={form.formState.isSubmitting || leaving} className="mt-1">
        {t("submit")}
      </Button>
    </Form>
  );
}

/**
 * Clears what the browser stored for a session that has ended, logs an expired session and remembers the requested
 * page. A sign-in in another tab signs this tab in too.
 */
function useSignedOutState(next: string | null): void {
  const t = useTranslations("session");

  useEffect(() => {
    const synchronize = async () => {
      const { clearLocalState, readLocalState, updateLocalState } = await import(
        "@/components/common/session/local-state"
      );
      const { userId } = await readLocalState();
      if (userId) console.info(t("expired"));
      await clearLocalState();
      if (next) await updateLocalState({ redirectPath: next });
    };
    if (next || hasLocalState()) synchronize().catch(console.warn);
    return onOtherTabs((message) => {
      if (message.type === "signed-in") window.location.reload();
    });
  }, [next, t]);
}
