"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { FormNotices, useFocusOnInvalid } from "@/components/common/form/form-notices";
import { REQUIRED } from "@/components/common/form/submit";
import { useValueCheck, type ValueError } from "@/components/common/form/use-value-check";
import { HoverLink } from "@/components/common/hover-link";
import { useSealedSend } from "@/components/common/password/use-sealed-send";
import { enterConsole } from "@/components/common/session/enter-console";
import { hasLocalState, hasSignInSinceLoad } from "@/components/common/session/local-state-items";
import { onOtherTabs } from "@/components/common/session/session-channel";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import type { ApiProblem } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { WithCryptography } from "./https-needed";
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

/**
 * The fields keep their values themselves, so that what a user or a password manager enters before the page is hydrated
 * counts, and the library of the other forms is not part of the first load. They have no names: a browser that submits the
 * form before it is hydrated would put the values into the address.
 */
function CredentialsForm({ next }: Pick<LoginFormProps, "next">) {
  const t = useTranslations("auth");
  const login = useOperation("auth/email-login", { quiet: CREDENTIAL_ERRORS });
  const sendSealed = useSealedSend();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, ValueError>>>({});
  const { form, focusInvalid } = useFocusOnInvalid();
  const check = useValueCheck(() => import("./login-schema").then((file) => file.loginSchema));

  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const email = takeSignInEmail();
    if (!email || !emailField.current) return;
    emailField.current.value = email;
    passwordField.current?.focus();
  }, []);

  const inWords = ({ code, title, detail }: ApiProblem): string =>
    CREDENTIAL_ERRORS.includes(code) ? detail : `${title}. ${detail}`;

  const showProblem = (problem: ApiProblem) => {
    const atFields = problem.errors.map(({ path, message }) => [path, { type: "server", message }] as const);
    setErrors(
      atFields.length > 0 ? Object.fromEntries(atFields) : { root: { type: "server", message: inWords(problem) } },
    );
    if (problem.code !== "invalid_credentials") return focusInvalid();
    passwordField.current?.focus();
    passwordField.current?.select();
  };

  /** @returns whether the user is signed in */
  const signIn = async (): Promise<boolean> => {
    const checked = await check({
      email: emailField.current?.value ?? "",
      password: passwordField.current?.value ?? "",
    });
    if (checked.errors) {
      setErrors(checked.errors);
      focusInvalid();
      return false;
    }
    setErrors({});
    const { email, password } = checked.values;
    const result = await sendSealed(password, (sealed) => login.run({ email, password: sealed }));
    if (result.ok) enterConsole(result.data.user, next);
    else showProblem(result.problem);
    return result.ok;
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    let isSignedIn = false;
    try {
      isSignedIn = await signIn();
    } finally {
      // The button stays busy while the browser opens the console.
      if (!isSignedIn) setBusy(false);
    }
  };

  const { email, password, ...others } = errors;
  const clear = (name: "email" | "password") => () => setErrors(({ [name]: _, ...rest }) => rest);
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <FormNotices
        isIncomplete={Object.values(errors).some((error) => error?.type === REQUIRED)}
        messages={Object.values(others).flatMap((error) => error?.message ?? [])}
      />
      <Field label={t("email")} error={email?.message}>
        <Input
          ref={emailField}
          type="email"
          inputMode="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          onChange={clear("email")}
        />
      </Field>
      <Field
        label={t("password")}
        error={password?.message}
        labelEnd={
          <HoverLink href={PAGES.passwordRecovery} className="text-link text-sm hover:underline">
            {t("forgotPassword")}
          </HoverLink>
        }
      >
        <PasswordInput ref={passwordField} autoComplete="current-password" onChange={clear("password")} />
      </Field>
      <Button type="submit" size="lg" loading={busy} className="mt-1">
        {t("submit")}
      </Button>
    </form>
  );
}

/**
 * Clears what the browser stored for a session that has ended, logs an expired session and remembers the requested
 * page. A sign-in in another tab signs this tab in too, also one that came while the page was loading.
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
    if (hasSignInSinceLoad()) return window.location.reload();
    if (next || hasLocalState()) synchronize().catch(console.warn);
    return onOtherTabs((message) => {
      if (message.type === "signed-in") window.location.reload();
    });
  }, [next, t]);
}
