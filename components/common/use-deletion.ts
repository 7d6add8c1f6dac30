"use client";

import { useRouter } from "next/navigation";
import type { OperationInput, OperationPath } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";

/**
 * Provides the deletion of a row. The page is updated afterwards, also if the row was already deleted.
 * @param onDeleted reports the deletion
 */
export function useDeletion<P extends OperationPath>(path: P, input: OperationInput<P>, onDeleted: () => void) {
  const router = useRouter();
  const { run: remove, pending } = useOperation(path);
  const run = async () => {
    const result = await remove(input);
    if (result.ok) onDeleted();
    if (result.ok || result.problem.code === "not_found") router.refresh();
    return result;
  };
  return { run, pending };
}
