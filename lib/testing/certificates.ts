import { certificateSample, type SampleName } from "@slipway/certificates/testing";
import type { Operation } from "@/lib/api/operation";
import { createSecureCertificate } from "@/lib/features/certificates/operations/create-secure-certificate";
import { newId } from "@/lib/kernel/ids";
import { type Answer, type Caller, send } from "./console";
import type { Sample } from "./sample";
import { aKey } from "./variables";

/** Returns a certificate file in base64. */
export function certificateValue(name: SampleName): string {
  return Buffer.from(certificateSample(name)).toString("base64");
}

/** Sends `create-secure-certificate` with a file of the samples, and more. */
export function sendCertificate(
  caller: Caller,
  file: SampleName,
  more: { environmentId: string } & Record<string, unknown>,
): Promise<Answer> {
  const input = { name: "A certificate", key: aKey(), fileName: file, value: certificateValue(file), ...more };
  return send(createSecureCertificate, caller, input);
}

/**
 * Adds a certificate to an environment.
 * @param caller one who has passed a second factor
 * @returns the body of the response
 */
export async function aCertificate(caller: Caller, more: { environmentId: string } & Record<string, unknown>) {
  const answer = await sendCertificate(caller, "leaf.pem", more);
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns a sample that calls an operation with the id of a new certificate, and more. */
export function certificateSampleOf(operation: Operation, more: Record<string, unknown> = {}): Sample {
  return {
    operation,
    input: () => ({ id: newId() }),
    arrange: async ({ environmentId, verifiedAdmin }, owner = verifiedAdmin) => {
      const { id } = await aCertificate(verifiedAdmin, { environmentId });
      return (sender = owner) => send(operation, sender, { id, ...more });
    },
  };
}
