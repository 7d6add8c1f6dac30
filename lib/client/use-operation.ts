"use client";

import { useTranslations } from "next-intl";
import { useCallback, useRef, useState } from "react";
import { notify } from "@/lib/client/notify";
import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";
import { ApiCallError, type ApiProblem, command, isSessionProblem } from "./client";
import { notifyUnlessShown } from "./shown-problems";

/** The result of a call. */
export type CallResult<T> = { ok: true; data: T } | { ok: false; problem: ApiProblem };

/** The codes of problems that no response of the API has. */
const OWN_CODES = ["network", "not_confirmed", "proxy"] as const;

/** Returns a function that adds the texts to a problem that is not a response of the API. */
export function useProblemTexts(): (problem: ApiProblem) => ApiProblem {
  const t = useTranslations("clientErrors");
  return useCallback(
    (problem) => {
      if (problem.title !== "") return problem;
      const key = OWN_CODES.find((code) => code === problem.code) ?? "unexpected";
      const isTooLarge = key === "proxy" && problem.status === 413;
      const detail = isTooLarge ? t("proxy.detailTooLarge") : t(`${key}.detail`, { status: problem.status });
      return { ...problem, title: t(`${key}.title`), detail };
    },
    [t],
  );
}

/** Problems whose own title says more than what could not be done, such as that there is no connection. */
const TELLING_CODES = ["invalid_otp", "invalid_passkey", "network", "not_confirmed"];

/**
 * Returns a function that describes a failed call: its title says what could not be done, or that there is no connection,
 * and its detail why.
 */
function useFailureTexts(): (error: ApiCallError) => ApiProblem {
  const t = useTranslations("failures");
  const withTexts = useProblemTexts();
  return useCallback(
    ({ problem, operation }) => {
      const key = operation as Parameters<typeof t>[0];
      const isTelling = TELLING_CODES.includes(problem.code);
      const hasOwnTitle = !isTelling && operation !== undefined && t.has(key);
      return { ...withTexts(problem), ...(hasOwnTitle && { title: t(key) }) };
    },
    [t, withTexts],
  );
}

/** Shows a failed call as a notification. */
function notifyFailure({ title, detail, errors }: ApiProblem): void {
  // The message of the field says more than the general detail.
  notify.error(title, { description: errors[0]?.message ?? detail });
}

/**
 * Returns a function that makes a call and shows its failure as a notification, except problems that the session guard
 * handles and a second factor that the user did not confirm. It returns null if the call failed.
 */
export function useNotifiedCall(): <T>(call: () => Promise<T>) => Promise<T | null> {
  const inWords = useFailureTexts();
  return useCallback(
    async (call) => {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ApiCallError)) throw error;
        const problem = inWords(error);
        const isShown = !isSessionProblem(problem) && problem.code !== "not_confirmed";
        if (isShown) notifyFailure(problem);
        return null;
      }
    },
    [inWords],
  );
}

/**
 * Provides a command to a component: `run` sends it, `pending` is true while it runs. A failure is shown as a notification,
 * except one that the form or dialog that caused it shows, validation errors and a second factor that the user did not confirm, which
 * only forms show, and problems that the session guard handles. If the command needs the user's second factor, a dialog asks for it and the command is sent again. Calling `run` while the command is
 * running returns the result of the running call.
 * @param path `area/operation`
 * @param options.quiet whether failures are not shown, or the codes of those that the caller shows itself
 */
export function useOperation<P extends OperationPath>(
  path: P,
  options: { quiet?: boolean | readonly string[] } = {},
): {
  run(input: OperationInput<P> | FormData): Promise<CallResult<OperationOutput<P>>>;
  pending: boolean;
} {
  const [pending, setPending] = useState(false);
  const running = useRef<Promise<CallResult<OperationOutput<P>>> | null>(null);
  const inWords = useFailureTexts();
  const { quiet = false } = options;

  const run = useCallback(
    (input: OperationInput<P> | FormData) => {
      const attempt = async (): Promise<CallResult<OperationOutput<P>>> => {
        setPending(true);
        try {
          return { ok: true, data: await command(path, input) };
        } catch (error) {
          if (!(error instanceof ApiCallError)) throw error;
          const problem = inWords(error);
          // The session guard redirects to the sign-in if the session has ended.
          const isQuiet = typeof quiet === "boolean" ? quiet : quiet.includes(problem.code);
          const isAtForm = problem.code === "validation_failed" || problem.code === "not_confirmed";
          const isHandled = isQuiet || isAtForm || isSessionProblem(problem);
          if (!isHandled) notifyUnlessShown(problem, () => notifyFailure(problem));
          return { ok: false, problem };
        } finally {
          running.current = null;
          setPending(false);
        }
      };
      running.current ??= attempt();
      return running.current;
    },
    [path, quiet, inWords],
  );
  return { run, pending };
}
