import { randomInt } from "node:crypto";
import { createPasskey } from "@/lib/features/passkeys/operations/create-passkey";
import { loginWithPasskey } from "@/lib/features/passkeys/operations/login-with-passkey";
import { validateCreatePasskey } from "@/lib/features/passkeys/operations/validate-create-passkey";
import { validateLoginWithPasskey } from "@/lib/features/passkeys/operations/validate-login-with-passkey";
import { env } from "@/lib/kernel/env";
import { SoftwareAuthenticator } from "./authenticator";
import { type Answer, type Caller, send } from "./console";

/** What a browser sends to have a passkey kept: the console's options, answered by an authenticator. */
export async function passkeyCreation(
  caller: Caller,
  authenticator = new SoftwareAuthenticator(),
  bent: Partial<Parameters<SoftwareAuthenticator["create"]>[1]> = {},
) {
  const { body: options } = await send(createPasskey, caller);
  return { registrant: "MacBook", response: authenticator.create(options, { origin: env.APP_URL, ...bent }) };
}

/** A passkey of a caller's, made by the whole ceremony. */
export async function aPasskey(
  caller: Caller,
  options?: ConstructorParameters<typeof SoftwareAuthenticator>[0],
): Promise<{ id: string; authenticator: SoftwareAuthenticator }> {
  const authenticator = new SoftwareAuthenticator(options);
  const { status, body } = await send(validateCreatePasskey, caller, await passkeyCreation(caller, authenticator));
  if (status !== 201) throw new Error(`the passkey was refused: ${JSON.stringify(body)}`);
  return { id: body.id, authenticator };
}

/** Somebody of whom nothing is known, in a network of their own: no two share a limit. */
export function aStranger(): Caller {
  return {
    headers: {
      "x-slipway-remote-address": `2001:db8:${randomInt(0x10000).toString(16)}:${randomInt(0x10000).toString(16)}::1`,
    },
  };
}

/** What a browser sends to sign in with a passkey. */
export async function passkeyUse(
  authenticator: SoftwareAuthenticator,
  bent: Partial<Parameters<SoftwareAuthenticator["get"]>[1]> = {},
) {
  const { body: options } = await send(loginWithPasskey, aStranger());
  return { response: authenticator.get(options, { origin: env.APP_URL, ...bent }) };
}

/** Signs in with a passkey. */
export async function signInWithPasskey(
  authenticator: SoftwareAuthenticator,
  bent: Partial<Parameters<SoftwareAuthenticator["get"]>[1]> = {},
  caller = aStranger(),
): Promise<Answer> {
  return send(validateLoginWithPasskey, caller, await passkeyUse(authenticator, bent));
}
