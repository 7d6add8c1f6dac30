"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { ApiCallError, problemWithoutTexts, query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { type CallResult, useProblemTexts } from "@/lib/client/use-operation";
import { encryptionKey, sealPassword } from "../../../lib/client/sealed-password";

/**
 * Sends a command that contains an encrypted password. If the nonce has expired, it is sent once more with a new one.
 */
type SealedSend = <T>(password: string, send: (sealed: string) => Promise<CallResult<T>>) => Promise<CallResult<T>>;

/** Sends a form's password encrypted with the console's key. The key and a nonce are fetched for each password. */
export function useSealedSend(): SealedSend {
  const t = useTranslations("auth");
  const withTexts = useProblemTexts();
  return useCallback(
    async (password, send) => {
      const attempt: () => ReturnType<typeof send> = async () => {
        let sealed: string;
        try {
          const publicKeys = await query("config/get-public-key", {});
          sealed = await sealPassword(password, publicKeys);
          const { updateLocalState } = await import("@/components/common/session/local-state");
          void updateLocalState({ publicKey: encryptionKey(publicKeys.keys) });
        } catch (error) {
          const problem = withTexts(
            error instanceof ApiCallError ? error.problem : problemWithoutTexts("unexpected", 0),
          );
          const title = t("publicKeyFailed");
          notify.error(title, { description: problem.detail });
          return { ok: false, problem: { ...problem, title } };
        }
        return send(sealed);
      };
      const first = await attempt();
      return !first.ok && first.problem.code === "invalid_nonce" ? attempt() : first;
    },
    [withTexts, t],
  );
}
