import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { licenseClaims, publicKeyText, signedLicense, vendorKeys } from "@/lib/testing/license";
import { acceptLicenseToken, type LicenseRefusal } from "./license-token";

const now = new Date();
const seconds = (offset: number) => Math.floor(now.getTime() / 1000) + offset;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const parts = (token: string) => token.split(".") as [string, string, string];

/** A token whose signature is an HMAC with a text that everyone knows. */
function hmacLicense(secret: string | Buffer): string {
  const content = `${encoded({ alg: "HS256" })}.${encoded(licenseClaims())}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

const other = generateKeyPairSync("ed25519");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = vendorKeys.publicKey.export({ type: "spki", format: "pem" }) as string;
const [header, payload, signature] = parts(signedLicense());

const refused: [string, string, LicenseRefusal][] = [
  ["with alg none and no signature", `${encoded({ alg: "none" })}.${payload}.`, "algorithm"],
  [
    "with alg none and the signature of another token",
    `${encoded({ alg: "none" })}.${payload}.${signature}`,
    "algorithm",
  ],
  ["with HS256 and the public key (PEM) as its secret", hmacLicense(publicPem), "algorithm"],
  [
    "with HS256 and the public key (base64url) as its secret",
    hmacLicense(publicKeyText(vendorKeys.publicKey)),
    "algorithm",
  ],
  ["with RS256", signedLicense({}, { header: { alg: "RS256" }, key: rsa.privateKey }), "algorithm"],
  ["of another key", signedLicense({}, { key: other.privateKey }), "signature"],
  [
    "of another key that it brings along",
    signedLicense(
      {},
      { header: { alg: "EdDSA", jwk: other.publicKey.export({ format: "jwk" }) }, key: other.privateKey },
    ),
    "signature",
  ],
  [
    "whose claims were changed",
    `${header}.${encoded(licenseClaims({ license_name: "More" }))}.${signature}`,
    "signature",
  ],
  ["without a signature", `${header}.${payload}.`, "signature"],
  ["that has expired", signedLicense({ iat: seconds(-100), exp: seconds(-1) }), "expired"],
  ["that ends now", signedLicense({ exp: seconds(0) }), "expired"],
  ["from the future", signedLicense({ iat: seconds(3600) }), "future"],
  ["that is not valid yet", signedLicense({ nbf: seconds(3600) }), "future"],
  ["that ends before it begins", signedLicense({ iat: seconds(10), exp: seconds(5) }), "claims"],
  ["without an end", signedLicense({ exp: undefined }), "claims"],
  ["without a beginning", signedLicense({ iat: undefined }), "claims"],
  ["without a business", signedLicense({ business_id: undefined }), "claims"],
  ["with an empty name", signedLicense({ license_name: " " }), "claims"],
  ["whose end is a text", signedLicense({ exp: String(seconds(1000)) }), "claims"],
  ["whose end is in milliseconds", signedLicense({ exp: Date.now() * 1000 }), "claims"],
  [
    "with an unknown critical extension",
    signedLicense({}, { header: { alg: "EdDSA", crit: ["x"], x: 1 } }),
    "malformed",
  ],
  ["of two parts", `${header}.${payload}`, "malformed"],
  ["of five parts", `${header}.${payload}.${signature}.a.b`, "malformed"],
  ["whose header is not JSON", `${Buffer.from("{").toString("base64url")}.${payload}.${signature}`, "malformed"],
  ["that is not a token", "hello", "malformed"],
];

describe("a license token", () => {
  it("is accepted with its claims", async () => {
    const exp = seconds(1000);
    const token = signedLicense({ iat: seconds(-50), exp });
    expect(await acceptLicenseToken(token, vendorKeys.publicKey, now)).toEqual({
      businessId: "B-1001",
      licenseName: "Acme Mobile",
      createdAt: new Date(seconds(-50) * 1000),
      expiresAt: new Date(exp * 1000),
    });
  });

  it("is accepted under the algorithm's name of RFC 9864, and from a clock that is a minute ahead", async () => {
    const token = signedLicense({ iat: seconds(60) }, { header: { alg: "Ed25519" } });
    await expect(acceptLicenseToken(token, vendorKeys.publicKey, now)).resolves.toMatchObject({ businessId: "B-1001" });
  });

  it.each(refused)("%s is refused with its reason", async (_, token, reason) => {
    const failure = { code: "invalid_license", detailKey: reason };
    await expect(acceptLicenseToken(token, vendorKeys.publicKey, now)).rejects.toMatchObject(failure);
  });

  it("is refused by a console without the vendor's key", async () => {
    const failure = { code: "invalid_license", detailKey: "noKey" };
    await expect(acceptLicenseToken(signedLicense(), undefined, now)).rejects.toMatchObject(failure);
  });

  it("has words for each reason, in six languages", () => {
    for (const locale of LOCALES) {
      const texts = messagesFor(locale).errors.invalid_license as Record<string, unknown>;
      for (const reason of new Set(refused.map(([, , name]) => name)))
        expect(texts[reason], `${locale} ${reason}`).toBeTruthy();
    }
  });
});
