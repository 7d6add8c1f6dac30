"use client";

import { useZodForm } from "@/components/common/form/use-zod-form";
import type { ApiProblem } from "@/lib/client/client";
import type { ProofForm } from "./proof-field";

/** The form that asks for a proof of the second factor. */
export function useProofForm(): ProofForm {
  return useZodForm(() => import("./proof-schema").then((file) => file.proofFormSchema), {
    defaultValues: { by: "code", code: "", recoveryCode: "" },
  });
}

/**
 * Shows under the field why a code was refused, or how long to wait.
 * @returns false if the problem is not about the code
 */
export function showRefusedCode(form: ProofForm, { code, detail }: ApiProblem): boolean {
  if (code !== "invalid_otp" && code !== "rate_limited") return false;
  form.setError(form.getValues("by"), { type: "server", message: detail });
  return true;
}
