import { randomInt } from "node:crypto";
import { db } from "@/lib/db/client";
import { createPasskey } from "@/lib/features/passkeys/operations/create-passkey";
import { loginWithPasskey } from "@/lib/features/passkeys/operations/login-with-passkey";
import { validateCreatePasskey } from "@/lib/features/passkeys/operations/validate-create-passkey";
import { validateLoginWithPasskey } from "@/lib/features/passkeys/operations/validate-login-with-passkey";
import { env } from "@/lib/kernel/env";
import { SoftwareAuthenticator } from "./authenticator";
import { type Answer, type Caller, send, type TestUser } from "./console";
import { isTestUser } from "./two-factor";

/** Does something as a caller who has just proved their second factor, and leaves the session as it was. */
async function afterProof<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  if (!isTestUser(caller)) return work();
  const where = { id: caller.sessionId };
  const select = { secondFactorAt: true, secondFactorConfirmedAt: true };
  const before = await db.session.findUnique({ where, select });
  const now = new Date();
  await db.session.updateMany({ where, data: { secondFactorAt: now, secondFactorConfirmedAt: now } });
  const done = await work();
  if (before) await db.session.updateMany({ where, data: before });
  return done;
}

/** Lets a user's session have just proved the second factor. */
export async function proved<User extends TestUser>(user: User): Promise<User> {
  const now = new Date();
  const data = { secondFactorAt: now, secondFactorConfirmedAt: now };
  await db.session.update({ where: { id: user.sessionId }, data });
  return user;
}

/** Returns the input of validate-create-passkey: an authenticator's response to the console's options. */
export async function passkeyCreation(
  caller: Caller,
  authenticator = new SoftwareAuthenticator(),
  overrides: Partial<Parameters<SoftwareAuthenticator["create"]>[1]> = {},
) {
  const { body: options } = await afterProof(caller, () => send(createPasskey, caller));
  return { registrant: "MacBook", response: authenticator.create(options, { origin: env.APP_URL, ...overrides }) };
}

/** Creates a passkey for a caller with the API. */
export async function aPasskey(
  caller: Caller,
  options?: ConstructorParameters<typeof SoftwareAuthenticator>[0],
): Promise<{ id: string; authenticator: SoftwareAuthenticator }> {
  const authenticator = new SoftwareAuthenticator(options);
  const creation = await passkeyCreation(caller, authenticator);
  const { status, body } = await afterProof(caller, () => send(validateCreatePasskey, caller, creation));
  if (status !== 201) throw new Error(`the passkey was refused: ${JSON.stringify(body)}`);
  return { id: body.id, authenticator };
}

/** Returns an anonymous caller with a random IPv6 network, so that no two share a rate limit. */
export function aStranger(): Caller {
  return {
    headers: {
      "x-slipway-remote-address": `2001:db8:${randomInt(0x10000).toString(16)}:${randomInt(0x10000).toString(16)}::1`,
    },
  };
}

/** Returns the input of validate-login-with-passkey: an authenticator's response to the console's options. */
export async function passkeyAssertion(
  authenticator: SoftwareAuthenticator,
  overrides: Partial<Parameters<SoftwareAuthenticator["get"]>[1]> = {},
) {
  const { body: options } = await send(loginWithPasskey, aStranger());
  return { response: authenticator.get(options, { origin: env.APP_URL, ...overrides }) };
}

/** Signs in with a passkey. */
export async function signInWithPasskey(
  authenticator: SoftwareAuthenticator,
  overrides: Partial<Parameters<SoftwareAuthenticator["get"]>[1]> = {},
  caller = aStranger(),
): Promise<Answer> {
  return send(validateLoginWithPasskey, caller, await passkeyAssertion(authenticator, overrides));
}
