"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  type CeremonyFailure,
  type CeremonyResult,
  endCeremony,
  offerPasskeys,
  offersPasskeysInFields,
  requestPasskey,
} from "@/components/common/passkeys/ceremony";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";

/** An offer older than this is renewed when the user returns to the page, before its challenge expires. */
const OFFER_RENEW_AFTER_MS = 4 * 60_000;
/** How long the button waits for an offer that is being prepared. */
const OFFER_WAIT_MS = 1_000;

type Answer = CeremonyResult<OperationInput<"auth/validate-login-with-passkey">["response"]>;
type SignedIn = OperationOutput<"auth/validate-login-with-passkey">;

/** The result of an attempt; `cancelled` is not an error. */
type PasskeyNotice = { tone: "cancelled" | "failed"; text: string };

/**
 * Signs in with a passkey: in the browser's dialog when `ask` is called and, if the browser supports it, with the
 * passkeys that it offers in the email field. Only one of the two can be active at a time.
 */
export function usePasskeySignIn(options: { enabled: boolean; onSignedIn: (signedIn: SignedIn) => void }): {
  ask: () => Promise<void>;
  pending: boolean;
  notice: PasskeyNotice | null;
} {
  const t = useTranslations();
  const { run: begin } = useOperation("auth/login-with-passkey");
  const { run: validate } = useOperation("auth/validate-login-with-passkey");
  const [pending, setPending] = useState(false);
  const [notice, setNotice] = useState<PasskeyNotice | null>(null);
  const { enabled } = options;
  const onSignedIn = useRef(options.onSignedIn);
  onSignedIn.current = options.onSignedIn;
  /** The number of the current ceremony; results of earlier ones are ignored. */
  const latest = useRef(0);
  const offerMadeAt = useRef(Number.POSITIVE_INFINITY);
  /** Resolves when the offer that is being prepared has been passed to the browser. */
  const offering = useRef<Promise<void>>(Promise.resolve());
  /** Whether the button was pressed: starting an offer would close the browser's dialog. */
  const asking = useRef(false);

  /** @returns whether the user is signed in */
  const signIn = useCallback(
    async (outcome: Extract<Answer, { ok: true }>): Promise<boolean> => {
      const result = await validate({ response: outcome.response });
      if (result.ok) onSignedIn.current(result.data);
      else setNotice({ tone: "failed", text: `${result.problem.title}. ${result.problem.detail}` });
      return result.ok;
    },
    [validate],
  );

  const offer = useCallback(async (): Promise<void> => {
    if (!(await offersPasskeysInFields()) || asking.current) return;
    latest.current += 1;
    const ceremony = latest.current;
    // A failed offer is not reported: the button reports its own errors.
    const options = await query("auth/get-passkey-offer", {}).catch(() => null);
    if (options === null || ceremony !== latest.current) return;
    offerMadeAt.current = Date.now();
    const { started, result } = await offerPasskeys(options);
    const awaitResult = async () => {
      const outcome = await result;
      if (ceremony !== latest.current) return;
      // Retried at the next interaction with the page, not immediately: a browser that refuses would refuse again.
      offerMadeAt.current = 0;
      if (outcome.ok) await signIn(outcome);
    };
    awaitResult().catch(console.warn);
    await started;
  }, [signIn]);

  useEffect(() => {
    if (!enabled) return;
    const startOffer = () => {
      offering.current = offer().catch(console.warn);
    };
    const renew = () => {
      if (asking.current || Date.now() - offerMadeAt.current < OFFER_RENEW_AFTER_MS) return;
      offerMadeAt.current = Number.POSITIVE_INFINITY;
      startOffer();
    };
    startOffer();
    window.addEventListener("focus", renew);
    document.addEventListener("pointerdown", renew);
    return () => {
      window.removeEventListener("focus", renew);
      document.removeEventListener("pointerdown", renew);
      latest.current += 1;
      endCeremony().catch(console.warn);
    };
  }, [enabled, offer]);

  const fail = (failure: Exclude<CeremonyFailure, "cancelled" | "superseded">) => {
    const text = t(`passkeys.failures.${failure}`);
    notify.error(t("failures.auth/validate-login-with-passkey"), { description: text });
    setNotice({ tone: "failed", text });
  };

  /** @returns whether the user is signed in */
  const requestSignIn = async (): Promise<boolean> => {
    // A browser that never says whether it offers passkeys must not block the button.
    await Promise.race([offering.current, new Promise((resolve) => setTimeout(resolve, OFFER_WAIT_MS))]);
    const started = await begin({});
    if (!started.ok) {
      setNotice({ tone: "failed", text: `${started.problem.title}. ${started.problem.detail}` });
      return false;
    }
    const outcome = await requestPasskey(started.data);
    if (outcome.ok) return signIn(outcome);
    if (outcome.failure === "cancelled" || outcome.failure === "superseded") {
      setNotice({ tone: "cancelled", text: t("auth.passkey.cancelled") });
    } else fail(outcome.failure);
    return false;
  };

  const ask = async () => {
    setNotice(null);
    setPending(true);
    asking.current = true;
    latest.current += 1;
    const isSignedIn = await requestSignIn().catch((error) => {
      console.warn(error);
      fail("notAuthenticated");
      return false;
    });
    // The button stays pending while the browser navigates to the next page.
    if (isSignedIn) return;
    setPending(false);
    asking.current = false;
    offerMadeAt.current = 0;
  };

  return { ask, pending, notice };
}
