import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { creationOptions } from "@/lib/auth/passkeys";
import { findUser } from "@/lib/features/auth/data";
import { readAppConfig } from "@/lib/features/config/data";
import { conflict } from "@/lib/kernel/errors";
import { passkeysOf } from "../data";
import { creationOptionsSchema, MAX_PASSKEYS } from "../schema";

/** Begins to create a passkey: returns the options for `navigator.credentials.create()`, with a challenge for five minutes. */
export const createPasskey = defineCommand({
  area: "auth",
  name: "create-passkey",
  summary: "Begin to create a passkey: WebAuthn creation options",
  access: "user",
  secondFactor: "recentIfEnrolled",
  input: z.strictObject({}),
  output: creationOptionsSchema,
  status: 200,
  errors: ["conflict"],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "Passkey", action: "challenge" },
  async handler({ actor, tx, request }) {
    const user = orNotFound(await findUser(tx, actor.userId));
    const existing = await passkeysOf(tx, user.id);
    if (existing.length >= MAX_PASSKEYS) throw conflict("registrant", "tooManyPasskeys", { limit: MAX_PASSKEYS });
    const options = await creationOptions(tx, {
      rpName: (await readAppConfig(tx)).name,
      user: { id: user.id, email: user.email, displayName: `${user.firstNames} ${user.lastNames}` },
      existing,
      now: request.now,
    });
    return { output: creationOptionsSchema.parse(options), audit: { recordId: null, changes: {} } };
  },
});
