"use client";

import { useZodForm } from "@/components/common/form/use-zod-form";
import type { ApiProblem } from "@/lib/client/client";
import type { ProofForm } from "./proof-field";

/** A form that asks for a proof of the second factor. */
export function useProofForm(): ProofForm {
  return useZodForm(() => import("./proof-schema").then((file) => file.proofFormSchema), {
    defaultValues: { by: "code", code: "", recoveryCode: "" },
  });
}

/**
 * Shows under a form's field why a code was refused, or how long no other is taken.
 * @returns false where the problem is not about the code
 */
export function showRefusedCode(form: ProofForm, { code, detail }: ApiProblem): boolean {
  if (code !== "invalid_otp" && code !== "rate_limited") return false;
  form.setError(form.getValues("by"), { type: "server", message: detail });
  return true;
}
