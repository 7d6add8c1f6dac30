import { createPublicKey, verify } from "node:crypto";
import { flattenedVerify, importJWK, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { setUpTestDatabase } from "@/scripts/test-database";
import { requestNonce, signAnswer } from "./answer-signature";
import { ensureServerKeys, publicKeys } from "./server-keys";

setUpTestDatabase();

const BODY = new TextEncoder().encode('{"variables":{"GRÖSSE":" 1\\n"}}');
const FACTS = { url: "/api/client/get-configuration?a=1", nonce: undefined, now: new Date("2026-11-22T12:00:00.900Z") };

let key: JWK;
beforeAll(async () => {
  await ensureServerKeys();
  key = (await publicKeys()).find(({ use }) => use === "sig") as JWK;
});

function headerOf(signature: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(signature.split(".")[0] as string, "base64url").toString());
}

describe("a signature", () => {
  it("is a detached JWS over the unencoded body, as jose reads it", async () => {
    const [header = "", payload, signature = ""] = (await signAnswer(BODY, FACTS)).split(".");
    expect(payload).toBe("");
    const jws = { protected: header, payload: BODY, signature };
    const { protectedHeader } = await flattenedVerify(jws, await importJWK(key, "EdDSA"), { algorithms: ["EdDSA"] });
    expect(protectedHeader).toEqual({
      alg: "EdDSA",
      kid: key.kid,
      b64: false,
      crit: ["b64"],
      iat: 1_795_348_800,
      url: FACTS.url,
    });
    const changed = { ...jws, payload: Uint8Array.from(BODY, (byte, index) => (index === 20 ? byte ^ 1 : byte)) };
    await expect(flattenedVerify(changed, await importJWK(key, "EdDSA"))).rejects.toThrow();
  });

  it("is Ed25519 over the header, a full stop and the body (RFC 7797, section 3)", async () => {
    const [header, , signature = ""] = (await signAnswer(BODY, FACTS)).split(".");
    const signed = Buffer.concat([Buffer.from(`${header}.`), BODY]);
    const publicKey = createPublicKey({ key: key as never, format: "jwk" });
    expect(verify(null, signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
  });

  it("repeats the nonce of the request, and names the entity tag that a 304 confirms", async () => {
    const signature = await signAnswer(new Uint8Array(), { ...FACTS, nonce: "n-1", etag: '"abc"' });
    expect(headerOf(signature)).toMatchObject({ nonce: "n-1", etag: '"abc"' });
  });
});

describe("the nonce of a request", () => {
  it.each(["a", "2f6a1d0c", "aGVsbG8+/w==", "019a0000-0000-7000-8000-000000000001", "x".repeat(128)])(
    "may be %s",
    (nonce) => {
      expect(requestNonce(new Headers({ "x-nonce": nonce }))).toBe(nonce);
    },
  );

  it("may be left out", () => {
    expect(requestNonce(new Headers())).toBeUndefined();
  });

  it.each(["", "two words", 'a"b', "é", "a,b", "x".repeat(129)])("may not be %j", (nonce) => {
    expect(() => requestNonce(new Headers({ "x-nonce": nonce }))).toThrow("validation_failed");
  });
});
