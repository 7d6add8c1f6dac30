import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { redeemCreationChallenge, verifyCreation } from "@/lib/auth/passkeys";
import { requestNotice } from "@/lib/jobs/mail";
import { ApiError, conflict } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { countPasskeysLocked, createPasskey, findByCredential, toPasskey } from "../data";
import { MAX_PASSKEYS, passkeySchema, TRANSPORTS, validateCreatePasskeyInput } from "../schema";

/** Stores a new passkey after verifying the browser's response to the challenge of this user. */
export const validateCreatePasskey = defineCommand({
  area: "auth",
  name: "validate-create-passkey",
  summary: "Store the passkey that the browser has created",
  access: "user",
  secondFactor: "recentIfEnrolled",
  input: validateCreatePasskeyInput,
  output: passkeySchema,
  status: 201,
  errors: ["invalid_passkey", "conflict"],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "Passkey", action: "create" },
  async prepare({ actor, input, db, request }) {
    const { userId } = actor;
    const challenge = await redeemCreationChallenge(db, input.response, { userId, now: request.now });
    const credential = challenge === null ? null : await verifyCreation(input.response, challenge);
    if (credential === null) throw new ApiError("invalid_passkey", { detailKey: "detailRegister" });
    return { userId, credential };
  },
  async handler({ input, prepared, tx, request }) {
    const { userId, credential } = prepared;
    if ((await countPasskeysLocked(tx, userId)) >= MAX_PASSKEYS) {
      throw conflict("registrant", "tooManyPasskeys", { limit: MAX_PASSKEYS });
    }
    if (await findByCredential(tx, credential.credentialId)) throw conflict("response", "passkeyRegistered");
    const sent = input.response.response.transports ?? [];
    const created = await createPasskey(tx, {
      ...credential,
      id: newId(),
      userId,
      registrant: input.registrant,
      transports: TRANSPORTS.filter((transport) => sent.includes(transport)),
      createdAt: request.now,
    });
    await requestNotice(tx, { purpose: "passkey-added", userId }, request);
    const passkey = toPasskey(created);
    const { registrant, backedUp } = passkey;
    return {
      output: passkey,
      audit: { recordId: created.id, changes: changesBetween(null, { registrant, backedUp }) },
    };
  },
});
