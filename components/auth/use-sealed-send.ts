"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { ApiCallError, type ApiProblem, query } from "@/lib/client/client";
import { type CallResult, useProblemWords } from "@/lib/client/use-operation";
import { encryptionKey, sealPassword } from "./sealed-password";

const UNKNOWN: ApiProblem = {
  code: "unexpected",
  status: 0,
  title: "",
  detail: "",
  errors: [],
  requestId: null,
  retryAfter: null,
};

/** Sends a command with an encrypted password in it; where the nonce has run out meanwhile, once more with another. */
export type SealedSend = <T>(
  password: string,
  send: (sealed: string) => Promise<CallResult<T>>,
) => Promise<CallResult<T>>;

/** How a form sends a password: encrypted for the console's key, which is fetched for each password. */
export function useSealedSend(): SealedSend {
  const t = useTranslations("auth");
  const inWords = useProblemWords();
  return useCallback(
    async (password, send) => {
      const attempt: () => ReturnType<typeof send> = async () => {
        let sealed: string;
        try {
          const publicKeys = await query("config/get-public-key", {});
          sealed = await sealPassword(password, publicKeys);
          const { updateLocalState } = await import("@/components/session/local-state");
          void updateLocalState({ publicKey: encryptionKey(publicKeys.keys) });
        } catch (error) {
          const problem = inWords(error instanceof ApiCallError ? error.problem : UNKNOWN);
          return { ok: false, problem: { ...problem, title: t("publicKeyFailed") } };
        }
        return send(sealed);
      };
      const first = await attempt();
      return !first.ok && first.problem.code === "invalid_nonce" ? attempt() : first;
    },
    [inWords, t],
  );
}
