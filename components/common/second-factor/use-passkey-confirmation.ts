"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { query } from "@/lib/client/client";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import type { CallResult } from "@/lib/client/use-operation";
import { type CeremonyFailure, requestPasskey } from "../passkeys/ceremony";

/** The result of an attempt; `cancelled` is not an error. */
type ConfirmationNotice = { tone: "cancelled" | "failed"; text: string };

/** Confirms the second factor with a passkey, in the browser's dialog. */
export function usePasskeyConfirmation(options: {
  confirm: (
    input: OperationInput<"auth/confirm-second-factor">,
  ) => Promise<CallResult<OperationOutput<"auth/confirm-second-factor">>>;
  onConfirmed: () => void;
}): { ask: () => Promise<void>; pending: boolean; notice: ConfirmationNotice | null } {
  const t = useTranslations();
  const [pending, setPending] = useState(false);
  const [notice, setNotice] = useState<ConfirmationNotice | null>(null);

  const noticeOf = (failure: CeremonyFailure): ConfirmationNotice =>
    failure === "cancelled" || failure === "superseded"
      ? { tone: "cancelled", text: t("secondFactor.passkeyCancelled") }
      : { tone: "failed", text: t(`passkeys.failures.${failure}`) };

  /** @returns null if the second factor is confirmed */
  const attempt = async (): Promise<ConfirmationNotice | null> => {
    // Each attempt needs a challenge of its own.
    const { passkey } = await query("auth/get-second-factor-options", {});
    if (passkey === null) return noticeOf("notAuthenticated");
    const outcome = await requestPasskey(passkey);
    if (!outcome.ok) return noticeOf(outcome.failure);
    const result = await options.confirm({ response: outcome.response });
    return result.ok ? null : { tone: "failed", text: `${result.problem.title}. ${result.problem.detail}` };
  };

  const ask = async () => {
    setNotice(null);
    setPending(true);
    const failed = await attempt().catch((error): ConfirmationNotice => {
      console.warn(error);
      return noticeOf("notAuthenticated");
    });
    setPending(false);
    if (failed === null) options.onConfirmed();
    else setNotice(failed);
  };

  return { ask, pending, notice };
}
