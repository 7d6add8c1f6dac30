"use client";

import { useCallback } from "react";
import { query } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { VARIABLE_OPERATIONS } from "./variable-operations";

/**
 * Returns a function that fetches the value of a variable; for a secure one, the client asks for the second factor. It
 * returns null if the user does not confirm it or the call fails, which is then shown as a notification.
 */
export function useVariableValue(kind: VariableKind, id: string): () => Promise<string | null> {
  const notified = useNotifiedCall();
  return useCallback(
    () => notified(async () => (await query(VARIABLE_OPERATIONS[kind].get, { id })).value),
    [kind, id, notified],
  );
}
