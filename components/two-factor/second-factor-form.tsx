"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Form } from "@/components/common/form/form";
import { enterConsole } from "@/components/common/session/enter-console";
import { hasSignInSinceLoad } from "@/components/common/session/local-state-items";
import { onOtherTabs } from "@/components/common/session/session-channel";
import { useSignOut } from "@/components/common/session/use-sign-out";
import { Button } from "@/components/ui/button";
import { isSessionProblem } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import type { User } from "@/lib/features/auth/schema";
import type { Proof } from "@/lib/features/two-factor/schema";
import { ProofField } from "./proof-field";
import { showRefusedCode, useProofForm } from "./use-proof-form";

export type SecondFactorFormProps = {
  /** The user who has passed the first factor. */
  user: User;
  /** The path that was requested before the sign-in, already checked to be a path of this console. */
  next: string | null;
};

/** The second step of the sign-in: asks for a code and opens the requested page. */
export function SecondFactorForm({ user, next }: SecondFactorFormProps) {
  const t = useTranslations("twoFactor.signIn");
  const validate = useOperation("auth/validate-two-factor", { quiet: ["two_factor_disabled"] });
  const { signOut, signingOut } = useSignOut();
  const [leaving, setLeaving] = useState(false);
  const form = useProofForm();

  // In another tab, the user has passed it or signed out.
  useEffect(() => {
    if (hasSignInSinceLoad()) return window.location.reload();
    return onOtherTabs(({ type }) => type !== "renewed" && window.location.reload());
  }, []);

  const send = async (proof: Proof) => {
    const result = await validate.run(proof);
    if (result.ok) {
      setLeaving(true);
      enterConsole(user, next);
      return result;
    }
    const { problem } = result;
    // If there is no session, or no second factor to pass, the server redirects.
    if (isSessionProblem(problem) || problem.code === "two_factor_disabled") window.location.reload();
    else if (!showRefusedCode(form, problem)) form.setError("root", { message: `${problem.title}. ${problem.detail}` });
    form.setFocus(form.getValues("by"), { shouldSelect: true });
    return result;
  };

  return (
    <div className="flex flex-col gap-4">
      <Form form={form} onSubmit={send}>
        <ProofField form={form} sendWhenComplete autoFocus />
        <Button type="submit" size="lg" loading={form.formState.isSubmitting || leaving}>
          {t("submit")}
        </Button>
      </Form>
      <Button variant="ghost" size="lg" onClick={signOut} loading={signingOut}>
        {t("otherAccount")}
      </Button>
    </div>
  );
}
