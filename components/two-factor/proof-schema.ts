import { z } from "zod";
import { type Proof, validateTwoFactorInput } from "@/lib/features/two-factor/schema";

/** The ways to prove a second factor. */
export const PROOFS = ["code", "recoveryCode"] as const;

/** What is typed where either a code of the app or a recovery code is asked for. */
export interface ProofValues {
  by: (typeof PROOFS)[number];
  code: string;
  recoveryCode: string;
}

/** As the operation takes it: what was typed last, alone. */
export const proofFormSchema: z.ZodType<Proof, ProofValues> = z
  .object({ by: z.enum(PROOFS), code: z.string(), recoveryCode: z.string() })
  .transform((values) => ({ [values.by]: values[values.by] }))
  .pipe(validateTwoFactorInput);
