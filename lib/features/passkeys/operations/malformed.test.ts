import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { SoftwareAuthenticator } from "@/lib/testing/authenticator";
import { aUser, send, type TestUser } from "@/lib/testing/console";
import { nearlyValid } from "@/lib/testing/nearly";
import { aStranger, passkeyAssertion, passkeyCreation, proved, signInWithPasskey } from "@/lib/testing/passkeys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_PASSKEYS, validateCreatePasskeyInput, validateLoginWithPasskeyInput } from "../schema";
import { validateCreatePasskey } from "./validate-create-passkey";
import { validateLoginWithPasskey } from "./validate-login-with-passkey";

setUpTestDatabase();

/** A text for every JSON value, with what JSON.stringify would leave out left out. */
const bodyOf = (input: unknown) => JSON.stringify(input) ?? "null";

/** What a request that is not right may be answered. */
const REFUSALS = [400, 401, 413, 422];

/** Changes one byte of a field of an answer of the browser. */
function withByte(response: Record<string, unknown>, field: string, place: number, value: number) {
  const bytes = Buffer.from(response[field] as string, "base64url");
  const index = place % bytes.length;
  bytes[index] = value === bytes[index] ? value ^ 0xff : value;
  return { ...response, [field]: bytes.toString("base64url") };
}

/** A user whose calls are not the hundredth of a minute. */
async function unhurried(): Promise<TestUser> {
  await db.$executeRaw`DELETE FROM "RateLimit"`;
  return proved(await aUser());
}

describe("an answer of a browser that is not right", () => {
  it("is refused, and never fails, whatever stands in for a new passkey", async () => {
    let user = await unhurried();
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(nearlyValid(validateCreatePasskeyInput), async (input) => {
        if (++calls % 50 === 0) user = await unhurried();
        const answer = await send(validateCreatePasskey, user, bodyOf(input));
        expect(REFUSALS, JSON.stringify(answer.body)).toContain(answer.status);
      }),
      { numRuns: 300 },
    );
    expect(await db.passkey.count()).toBe(0);
  });

  it("is refused, and never fails, whatever stands in for a sign-in", async () => {
    await fc.assert(
      fc.asyncProperty(nearlyValid(validateLoginWithPasskeyInput), async (input) => {
        const answer = await send(validateLoginWithPasskey, aStranger(), bodyOf(input));
        expect(REFUSALS, JSON.stringify(answer.body)).toContain(answer.status);
      }),
      { numRuns: 300 },
    );
    expect(await db.session.count({ where: { method: "passkey" } })).toBe(0);
  });

  it("is refused, and never fails, when any byte of a new passkey is another, and neither does signing in with it later", async () => {
    let user = await unhurried();
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("attestationObject", "clientDataJSON"),
        fc.nat(600),
        fc.integer({ min: 0, max: 255 }),
        async (field, place, value) => {
          if (++calls % (MAX_PASSKEYS / 2) === 0) user = await unhurried();
          const authenticator = new SoftwareAuthenticator({ counts: false });
          const input = await passkeyCreation(user, authenticator);
          const response = withByte(input.response.response, field, place, value);
          const answer = await send(validateCreatePasskey, user, {
            ...input,
            response: { ...input.response, response },
          });
          // Nothing vouches for a new key: one with another byte may be kept, and is of no use to anyone.
          expect([201, ...REFUSALS], JSON.stringify(answer.body)).toContain(answer.status);
          const later = await signInWithPasskey(authenticator);
          expect([200, 401], JSON.stringify(later.body)).toContain(later.status);
        },
      ),
      { numRuns: 80 },
    );
  });

  it("is refused, and never fails, when any byte of a sign-in is another", async () => {
    const [user, authenticator] = [await unhurried(), new SoftwareAuthenticator()];
    // Its signatures are bare numbers; those of ES256 are wrapped in ASN.1, which may be written in more than one way.
    const creation = await passkeyCreation(user, authenticator, { algorithm: "EdDSA" });
    await send(validateCreatePasskey, user, creation);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("authenticatorData", "clientDataJSON", "signature", "userHandle"),
        fc.nat(600),
        fc.integer({ min: 0, max: 255 }),
        async (field, place, value) => {
          await db.$executeRaw`DELETE FROM "RateLimit"`;
          const { response: sent } = await passkeyAssertion(authenticator);
          const response = withByte(sent.response, field, place, value);
          const answer = await send(validateLoginWithPasskey, aStranger(), { response: { ...sent, response } });
          expect(answer.status, JSON.stringify(answer.body)).toBe(401);
        },
      ),
      { numRuns: 80 },
    );
  });

  it.each([
    ["no public-key credential", { type: "password" }, "response.type"],
    ["not base64url", { id: "a+b/c=" }, "response.id"],
    ["too long", { rawId: "A".repeat(1_365) }, "response.rawId"],
    ["missing a part", { response: { clientDataJSON: "AAAA" } }, "response.response.authenticatorData"],
  ])("is told by its field when it is %s", async (_case, bent, path) => {
    const right = { id: "AAAA", rawId: "AAAA", type: "public-key" };
    const response = { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA", userHandle: "AAAA" };
    const answer = await send(validateLoginWithPasskey, aStranger(), { response: { ...right, response, ...bent } });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });
});
