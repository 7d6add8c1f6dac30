import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { requestOptions } from "@/lib/auth/passkeys";
import { requestOptionsSchema } from "../schema";

/**
 * Returns the options of login-with-passkey for the autofill of the e-mail field. Every visit to the sign-in page requests
 * them, so they are not recorded.
 */
export const getPasskeyOffer = defineQuery({
  area: "auth",
  name: "get-passkey-offer",
  summary: "Get WebAuthn request options for a page that offers passkeys in its autofill",
  access: "public",
  input: z.strictObject({}),
  output: requestOptionsSchema,
  errors: [],
  handler: async ({ request }) => requestOptionsSchema.parse(await requestOptions("passkey-login", request.now)),
});
