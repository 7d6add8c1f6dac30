import { z } from "zod";
import { type Proof, validateTwoFactorInput } from "@/lib/features/two-factor/schema";

/** The kinds of proof of a second factor. */
const PROOFS = ["code", "recoveryCode"] as const;

/** The form's values: a code of the app, a recovery code, and which of the two is asked for. */
export interface ProofValues {
  by: (typeof PROOFS)[number];
  code: string;
  recoveryCode: string;
}

/** Converts to the operation's input, which contains only the proof that is asked for. */
export const proofFormSchema: z.ZodType<Proof, ProofValues> = z
  .object({ by: z.enum(PROOFS), code: z.string(), recoveryCode: z.string() })
  .transform((values) => ({ [values.by]: values[values.by] }))
  .pipe(validateTwoFactorInput);
