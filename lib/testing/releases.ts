import { createHash, randomUUID } from "node:crypto";
import { makeApk, makeIpa } from "@slipway/installers/testing";
import type { Operation } from "@/lib/api/operation";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { abortUpload } from "@/lib/features/uploads/operations/abort-upload";
import { completeUpload } from "@/lib/features/uploads/operations/complete-upload";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { uploadPart } from "@/lib/features/uploads/operations/upload-part";
import { type Answer, type Caller, send, sendRaw } from "./console";
import type { Sample } from "./sample";

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the SHA-256 in lower-case hex. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns an .ipa of an app with unique content. */
export function anIpa(identifier: string, options: Parameters<typeof makeIpa>[0] = {}): Bytes {
  return makeIpa({ identifier, files: { "seed.txt": Buffer.from(crypto.randomUUID()) }, ...options });
}

/** Returns an .apk of an app with unique content. */
export function anApk(identifier: string, options: Parameters<typeof makeApk>[0] = {}): Promise<Bytes> {
  const seed = { name: "assets/seed.txt", data: Buffer.from(crypto.randomUUID()) };
  return makeApk({ identifier, extraEntries: [seed], ...options });
}

/** Returns a form with an installer; by default, the fields precede the file. */
export function releaseForm(
  bytes: Bytes,
  fileName: string,
  fields: Record<string, string>,
  options: { fileFirst?: boolean } = {},
): FormData {
  const form = new FormData();
  const file = new File([bytes], fileName, { type: "application/octet-stream" });
  if (options.fileFirst) form.append("file", file);
  for (const [name, value] of Object.entries({ description: "What changed", ...fields })) form.append(name, value);
  if (!options.fileFirst) form.append("file", file);
  return form;
}

/** Publishes a release with a form. */
export function publish(
  caller: Caller,
  bytes: Bytes,
  fileName: string,
  fields: Record<string, string>,
  options: { fileFirst?: boolean } = {},
): Promise<Answer> {
  return send(createTestingDeploy, caller, releaseForm(bytes, fileName, fields, options));
}

/** Publishes a release of an .ipa. @returns the body of the response */
export async function aRelease(
  caller: Caller,
  place: { identifier: string; environmentId: string },
  options: Parameters<typeof makeIpa>[0] = {},
): Promise<Answer["body"]> {
  const bytes = anIpa(place.identifier, options);
  const answer = await publish(caller, bytes, "Example.ipa", { environmentId: place.environmentId });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** Creates an upload. @returns the body of the response */
export async function anUpload(
  caller: Caller,
  name: string,
  size: number,
  purpose: "installer" | "attachment" = "installer",
): Promise<Answer["body"]> {
  const answer = await send(createUpload, caller, { name, size, purpose });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** Sends one part of an upload. */
export async function sendPart(caller: Caller, uploadId: string, number: number, bytes: Bytes): Promise<Answer> {
  const response = await sendRaw(uploadPart, caller, { uploadId, number }, { body: bytes });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Uploads a file in parts. @returns the response body of complete-upload */
export async function uploadInParts(
  caller: Caller,
  bytes: Bytes,
  name: string,
  purpose: "installer" | "attachment" = "installer",
): Promise<Answer["body"]> {
  const { uploadId, partSize, parts } = await anUpload(caller, name, bytes.length, purpose);
  const sent: { number: number; etag: string }[] = [];
  for (const { number } of parts as { number: number }[]) {
    const part = await sendPart(caller, uploadId, number, bytes.slice((number - 1) * partSize, number * partSize));
    sent.push({ number, etag: part.body.etag });
  }
  const answer = await send(completeUpload, caller, { uploadId, parts: sent });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** Aborts an upload. */
export function sendAbort(caller: Caller, uploadId: string): Promise<Answer> {
  return send(abortUpload, caller, { uploadId });
}

/** Returns a sample that creates a release and sends its ID; callers without access may send any ID. */
export function releaseSample(operation: Operation, more: Record<string, unknown> = {}): Sample {
  return {
    operation,
    input: () => ({ id: randomUUID(), ...more }),
    arrange: async ({ admin, app, environmentId }, owner = admin) => {
      const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
      return (sender = owner) => send(operation, sender, { id, ...more });
    },
  };
}

/** Returns a sample that creates an upload of the caller and sends its ID. */
export function uploadSample(
  operation: Operation,
  more: (uploadId: string, owner: Caller) => Promise<Record<string, unknown>> = async () => ({}),
): Sample {
  return {
    operation,
    input: () => ({ uploadId: randomUUID() }),
    arrange: async ({ admin }, owner = admin) => {
      const { uploadId } = await anUpload(owner, "Example.ipa", 5);
      const input = { uploadId, ...(await more(uploadId, owner)) };
      return (sender = owner) => send(operation, sender, input);
    },
  };
}
