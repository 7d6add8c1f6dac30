"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  askForPasskey,
  type CeremonyResult,
  endCeremony,
  offerPasskeys,
  offersPasskeysInFields,
} from "@/components/passkeys/ceremony";
import { query } from "@/lib/client/client";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";

/** So long before its challenge ends, an offer is made anew by whoever comes back to the page; milliseconds. */
const OFFER_MS = 4 * 60_000;
/** So long the button waits for the browser to take up an offer that is being made; milliseconds. */
const OFFERING_MS = 1_000;

type Answer = CeremonyResult<OperationInput<"auth/validate-login-with-passkey">["response"]>;
type SignedIn = OperationOutput<"auth/validate-login-with-passkey">;

/** What became of a try; `cancelled` is nobody's fault. */
export type PasskeyNotice = { tone: "cancelled" | "failed"; text: string };

/**
 * Signs in with a passkey: when `ask` is called, in a dialog of the browser's, and, where the browser can, from what it
 * offers in the e-mail field. Only one of the two can be under way.
 */
export function usePasskeySignIn(options: { enabled: boolean; onSignedIn: (signedIn: SignedIn) => void }): {
  ask: () => Promise<void>;
  pending: boolean;
  notice: PasskeyNotice | null;
} {
  const t = useTranslations();
  const { run: begin } = useOperation("auth/login-with-passkey", { quiet: true });
  const { run: validate } = useOperation("auth/validate-login-with-passkey", { quiet: true });
  const [pending, setPending] = useState(false);
  const [notice, setNotice] = useState<PasskeyNotice | null>(null);
  const { enabled } = options;
  const onSignedIn = useRef(options.onSignedIn);
  onSignedIn.current = options.onSignedIn;
  /** The number of the ceremony that counts; those before it are over, whatever they still answer. */
  const latest = useRef(0);
  const offerMadeAt = useRef(Number.POSITIVE_INFINITY);
  /** Ends when the browser has been asked for the offer that is being made. */
  const offering = useRef<Promise<void>>(Promise.resolve());
  /** The button was pressed: no offer may begin, since it would end the browser's dialog. */
  const asking = useRef(false);

  /** @returns whether the person is signed in now */
  const signIn = useCallback(
    async (answer: Extract<Answer, { ok: true }>): Promise<boolean> => {
      const result = await validate({ response: answer.response });
      if (result.ok) onSignedIn.current(result.data);
      else setNotice({ tone: "failed", text: `${result.problem.title}. ${result.problem.detail}` });
      return result.ok;
    },
    [validate],
  );

  const offer = useCallback(async (): Promise<void> => {
    if (!(await offersPasskeysInFields()) || asking.current) return;
    latest.current += 1;
    const mine = latest.current;
    // An offer that cannot be made is not missed: there is the button, which tells why.
    const options = await query("auth/get-passkey-offer", {}).catch(() => null);
    if (options === null || mine !== latest.current) return;
    offerMadeAt.current = Date.now();
    const { begun, result } = await offerPasskeys(options);
    const settle = async () => {
      const answer = await result;
      if (mine !== latest.current) return;
      // At the next touch of the page, and not at once: a browser that refuses would go on refusing.
      offerMadeAt.current = 0;
      if (answer.ok) await signIn(answer);
    };
    settle().catch(console.warn);
    await begun;
  }, [signIn]);

  useEffect(() => {
    if (!enabled) return;
    const make = () => {
      offering.current = offer().catch(console.warn);
    };
    const renew = () => {
      if (asking.current || Date.now() - offerMadeAt.current < OFFER_MS) return;
      offerMadeAt.current = Number.POSITIVE_INFINITY;
      make();
    };
    make();
    window.addEventListener("focus", renew);
    document.addEventListener("pointerdown", renew);
    return () => {
      window.removeEventListener("focus", renew);
      document.removeEventListener("pointerdown", renew);
      latest.current += 1;
      endCeremony().catch(console.warn);
    };
  }, [enabled, offer]);

  /** @returns whether the person is signed in now */
  const askOnce = async (): Promise<boolean> => {
    // A browser that never answers whether it offers passkeys must not keep the button waiting.
    await Promise.race([offering.current, new Promise((resolve) => setTimeout(resolve, OFFERING_MS))]);
    const given = await begin({});
    if (!given.ok) {
      setNotice({ tone: "failed", text: `${given.problem.title}. ${given.problem.detail}` });
      return false;
    }
    const answer = await askForPasskey(given.data);
    if (answer.ok) return signIn(answer);
    if (answer.failure === "cancelled" || answer.failure === "superseded") {
      setNotice({ tone: "cancelled", text: t("auth.passkey.cancelled") });
    } else {
      setNotice({ tone: "failed", text: t(`passkeys.failures.${answer.failure}`) });
    }
    return false;
  };

  const ask = async () => {
    setNotice(null);
    setPending(true);
    asking.current = true;
    latest.current += 1;
    const isSignedIn = await askOnce().catch((error) => {
      console.warn(error);
      setNotice({ tone: "failed", text: t("passkeys.failures.notAuthenticated") });
      return false;
    });
    // It stays pending while the browser goes on to the page behind the sign-in.
    if (isSignedIn) return;
    setPending(false);
    asking.current = false;
    offerMadeAt.current = 0;
  };

  return { ask, pending, notice };
}
