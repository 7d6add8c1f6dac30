"use client";

import { useCallback } from "react";
import { ApiCallError, isSessionProblem, query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useProblemTexts } from "@/lib/client/use-operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { VARIABLE_OPERATIONS } from "./variable-operations";

/**
 * Returns a function that fetches the value of a variable; for a secure one, the client asks for the second factor. It
 * returns null if the user does not confirm it or the call fails, which is then shown as a notification.
 */
export function useVariableValue(kind: VariableKind, id: string): () => Promise<string | null> {
  const withTexts = useProblemTexts();
  return useCallback(async () => {
    try {
      return (await query(VARIABLE_OPERATIONS[kind].get, { id })).value;
    } catch (error) {
      if (!(error instanceof ApiCallError)) throw error;
      const { title, detail } = withTexts(error.problem);
      const isShown = !isSessionProblem(error.problem) && error.problem.code !== "not_confirmed";
      if (isShown) notify.error(title, { description: detail });
      return null;
    }
  }, [kind, id, withTexts]);
}
