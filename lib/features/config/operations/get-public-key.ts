import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { issueNonce } from "@/lib/auth/nonces";
import { publicKeys } from "@/lib/auth/server-keys";

const jwkSchema = z.object({
  kty: z.string(),
  use: z.enum(["enc", "sig"]),
  alg: z.string(),
  kid: z.string(),
  n: z.string().optional(),
  e: z.string().optional(),
  crv: z.string().optional(),
  x: z.string().optional(),
});

/** The public keys for encrypting passwords and verifying signatures, and a nonce for one password. */
export const getPublicKey = defineQuery({
  area: "config",
  name: "get-public-key",
  summary: "Get the public keys as a JWK set, and a nonce for one sign-in",
  access: "public",
  signsIn: true,
  input: z.strictObject({}),
  output: z.object({ nonce: z.string(), keys: z.array(jwkSchema) }),
  errors: [],
  handler: async ({ request }) => ({
    nonce: issueNonce("password", request.now),
    keys: z.array(jwkSchema).parse(await publicKeys()),
  }),
});
