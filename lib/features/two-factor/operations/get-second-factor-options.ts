import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { confirmationOf, requestOptions } from "@/lib/auth/passkeys";
import { passkeysOf } from "@/lib/features/passkeys/data";
import { secondFactorOptionsSchema } from "../schema";

/** How the signed-in user can confirm their second factor: by a code, by a passkey, by both, or not at all. */
export const getSecondFactorOptions = defineQuery({
  area: "auth",
  name: "get-second-factor-options",
  summary: "Get the ways to confirm the second factor, with WebAuthn request options for the caller’s passkeys",
  access: "user",
  input: z.strictObject({}),
  output: secondFactorOptionsSchema,
  errors: [],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  async handler({ actor, db, request }) {
    const passkeys = await passkeysOf(db, actor.userId);
    const passkey =
      passkeys.length > 0 ? await requestOptions(confirmationOf(actor.sessionId), request.now, passkeys) : null;
    return secondFactorOptionsSchema.parse({ totp: actor.twoFactorEnabled, passkey });
  },
});
