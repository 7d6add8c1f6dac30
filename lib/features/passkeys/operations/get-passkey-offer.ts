import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { requestOptions } from "@/lib/auth/passkeys";
import { requestOptionsSchema } from "../schema";

/**
 * What the sign-in page takes to have the browser offer passkeys in the e-mail field: the options of login-with-passkey.
 * Every visit to the page asks for them, so that nothing is recorded; a sign-in begins when somebody picks one.
 */
export const getPasskeyOffer = defineQuery({
  area: "auth",
  name: "get-passkey-offer",
  summary: "WebAuthn request options for a page that offers passkeys among what it fills in",
  access: "public",
  input: z.strictObject({}),
  output: requestOptionsSchema,
  errors: [],
  handler: async ({ request }) => requestOptionsSchema.parse(await requestOptions("passkey-login", request.now)),
});
