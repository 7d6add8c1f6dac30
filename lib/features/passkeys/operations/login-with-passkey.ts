import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { countAnonymousRecord } from "@/lib/auth/anonymous-records";
import { requestOptions } from "@/lib/auth/passkeys";
import { requestOptionsSchema } from "../schema";

/**
 * Begins a sign-in with a passkey: returns the options for `navigator.credentials.get()`, with a challenge for five minutes.
 * It needs no e-mail and names no credential, so it does not reveal who is registered.
 */
export const loginWithPasskey = defineCommand({
  area: "auth",
  name: "login-with-passkey",
  summary: "Begin to sign in with a passkey: WebAuthn request options",
  access: "public",
  signsIn: true,
  input: z.strictObject({}),
  output: requestOptionsSchema,
  status: 200,
  errors: [],
  rateLimit: { points: 120, seconds: 60, by: "address" },
  audit: { table: "Session", action: "challenge" },
  prepare: ({ request }) => countAnonymousRecord(request),
  async handler({ request }) {
    const options = requestOptionsSchema.parse(await requestOptions("passkey-login", request.now));
    return { output: options, audit: { recordId: null, changes: {} } };
  },
});
