"use client";

import { useTranslations } from "next-intl";
import { useCallback, useRef, useState } from "react";
import { notify } from "@/lib/client/notify";
import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";
import { ApiCallError, type ApiProblem, command, isSessionProblem } from "./client";

/** How a call ended. */
export type CallResult<T> = { ok: true; data: T } | { ok: false; problem: ApiProblem };

/** Gives a problem the words that it came without (no answer at all, or one that is not ours). */
export function useProblemWords(): (problem: ApiProblem) => ApiProblem {
  const t = useTranslations("clientErrors");
  return useCallback(
    (problem) =>
      problem.title !== ""
        ? problem
        : problem.code === "network"
          ? { ...problem, title: t("network.title"), detail: t("network.detail") }
          : { ...problem, title: t("unexpected.title"), detail: t("unexpected.detail") },
    [t],
  );
}

/**
 * A command for a component: `run` sends it, `pending` tells that it is under way. A failure is shown as a
 * notification, except a validation error when the form shows the fields itself; an ended session leads to the
 * sign-in, by the session guard. A second `run` while one is under way gives the first one's result.
 * @param path `area/operation`
 */
export function useOperation<P extends OperationPath>(
  path: P,
  options: { quiet?: boolean } = {},
): {
  run(input: OperationInput<P> | FormData): Promise<CallResult<OperationOutput<P>>>;
  pending: boolean;
} {
  const [pending, setPending] = useState(false);
  const underWay = useRef<Promise<CallResult<OperationOutput<P>>> | null>(null);
  const inWords = useProblemWords();
  const { quiet = false } = options;

  const run = useCallback(
    (input: OperationInput<P> | FormData) => {
      const attempt = async (): Promise<CallResult<OperationOutput<P>>> => {
        setPending(true);
        try {
          return { ok: true, data: await command(path, input) };
        } catch (error) {
          if (!(error instanceof ApiCallError)) throw error;
          const problem = inWords(error.problem);
          // Without a session the guard is already on its way to the sign-in.
          const shown = quiet || problem.errors.length > 0 || isSessionProblem(problem);
          if (!shown) notify.error(problem.title, { description: problem.detail });
          return { ok: false, problem };
        } finally {
          underWay.current = null;
          setPending(false);
        }
      };
      underWay.current ??= attempt();
      return underWay.current;
    },
    [path, quiet, inWords],
  );
  return { run, pending };
}
