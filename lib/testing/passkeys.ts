import { randomInt } from "node:crypto";
import { createPasskey } from "@/lib/features/passkeys/operations/create-passkey";
import { loginWithPasskey } from "@/lib/features/passkeys/operations/login-with-passkey";
import { validateCreatePasskey } from "@/lib/features/passkeys/operations/validate-create-passkey";
import { validateLoginWithPasskey } from "@/lib/features/passkeys/operations/validate-login-with-passkey";
import { env } from "@/lib/kernel/env";
import { SoftwareAuthenticator } from "./authenticator";
import { type Answer, type Caller, send } from "./console";

/** Returns the input of validate-create-passkey: an authenticator's response to the console's options. */
export async function passkeyCreation(
  caller: Caller,
  authenticator = new SoftwareAuthenticator(),
  overrides: Partial<Parameters<SoftwareAuthenticator["create"]>[1]> = {},
) {
  const { body: options } = await send(createPasskey, caller);
  return { registrant: "MacBook", response: authenticator.create(options, { origin: env.APP_URL, ...overrides }) };
}

/** Creates a passkey for a caller with the API. */
export async function aPasskey(
  caller: Caller,
  options?: ConstructorParameters<typeof SoftwareAuthenticator>[0],
): Promise<{ id: string; authenticator: SoftwareAuthenticator }> {
  const authenticator = new SoftwareAuthenticator(options);
  const { status, body } = await send(validateCreatePasskey, caller, await passkeyCreation(caller, authenticator));
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
