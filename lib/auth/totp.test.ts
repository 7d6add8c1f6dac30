import fc from "fast-check";
import { generateSync } from "otplib";
import { describe, expect, it } from "vitest";
import { codeOf } from "@/lib/testing/two-factor";
import { newTotpSecret, totpStep, totpUri } from "./totp";

/** The secret of RFC 6238's SHA-256 vectors, `12345678901234567890123456789012`, in base32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA";

/** Appendix B of RFC 6238, SHA-256: seconds since 1970 and the eight digits, of which ours are the last six. */
const RFC_VECTORS = [
  [59, "46119246"],
  [1_111_111_109, "68084774"],
  [1_111_111_111, "67062674"],
  [1_234_567_890, "91819424"],
  [2_000_000_000, "90698825"],
  [20_000_000_000, "77737706"],
] as const;

const STEP_SECONDS = 30;
const at = (seconds: number) => new Date(seconds * 1000);
const secondsArbitrary = fc.integer({ min: STEP_SECONDS * 3, max: 4_000_000_000 });
const secret = newTotpSecret();

describe("a code", () => {
  it.each(RFC_VECTORS)("is that of RFC 6238's vector at %i", (seconds, digits) => {
    const code = digits.slice(-6);
    expect(totpStep(RFC_SECRET, code, at(seconds))).toBe(BigInt(Math.floor(seconds / STEP_SECONDS)));
    expect(codeOf(RFC_SECRET, at(seconds))).toBe(code);
  });

  it("is taken in its own step and the two beside it, to the second, and names its own step", () => {
    fc.assert(
      fc.property(secondsArbitrary, (seconds) => {
        const step = Math.floor(seconds / STEP_SECONDS);
        const code = codeOf(secret, at(seconds));
        const first = (step - 1) * STEP_SECONDS;
        const last = (step + 2) * STEP_SECONDS - 1;
        for (const taken of [first, step * STEP_SECONDS, seconds, (step + 1) * STEP_SECONDS, last]) {
          expect(totpStep(secret, code, at(taken))).not.toBeNull();
        }
        // Neighbours may have the same code by chance; which of them is named then is no matter.
        const beside = [step - 1, step + 1].map((other) => codeOf(secret, at(other * STEP_SECONDS)));
        if (!beside.includes(code)) expect(totpStep(secret, code, at(seconds))).toBe(BigInt(step));
      }),
    );
  });

  it("is refused one second before and after, unless a nearer step has the same by chance", () => {
    fc.assert(
      fc.property(secondsArbitrary, (seconds) => {
        const step = Math.floor(seconds / STEP_SECONDS);
        const code = codeOf(secret, at(seconds));
        for (const refused of [(step - 1) * STEP_SECONDS - 1, (step + 2) * STEP_SECONDS]) {
          const there = Math.floor(refused / STEP_SECONDS);
          const nearby = [there - 1, there, there + 1].map((near) => codeOf(secret, at(near * STEP_SECONDS)));
          expect(totpStep(secret, code, at(refused)) !== null).toBe(nearby.includes(code));
        }
      }),
    );
  });

  it("counts whole seconds: a step ends with its last millisecond", () => {
    const code = codeOf(RFC_SECRET, at(3_000));
    expect(totpStep(RFC_SECRET, code, new Date(3_060_000 - 1))).toBe(100n);
    expect(totpStep(RFC_SECRET, code, new Date(2_970_000))).toBe(100n);
    expect(totpStep(RFC_SECRET, code, new Date(2_970_000 - 1))).toBeNull();
  });

  it("of SHA-1 is none of SHA-256, and is recognised where it is asked for", () => {
    const now = at(1_234_567_890);
    const bySha1 = generateSync({ secret: RFC_SECRET, algorithm: "sha1", epoch: 1_234_567_890 });
    expect(totpStep(RFC_SECRET, bySha1, now)).toBeNull();
    expect(totpStep(RFC_SECRET, bySha1, now, "sha1")).toBe(41_152_263n);
  });
});

describe("a secret", () => {
  it("has 256 bits in base32 without padding, each another", () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{52}$/);
  });
});

describe("the address in the QR code", () => {
  it("names console, person and algorithm", () => {
    const url = new URL(totpUri({ issuer: "Acme: Releases & Co", account: "ada+1@example.test", secret }));
    expect(url.protocol + url.host).toBe("otpauth:totp");
    expect(decodeURIComponent(url.pathname)).toBe("/Acme  Releases & Co:ada+1@example.test");
    expect(url.searchParams.get("secret")).toBe(secret);
    expect(url.searchParams.get("issuer")).toBe("Acme  Releases & Co");
    expect(url.searchParams.get("algorithm")).toBe("SHA256");
    // What is left out is what every app assumes.
    expect([url.searchParams.get("digits") ?? "6", url.searchParams.get("period") ?? "30"]).toEqual(["6", "30"]);
  });
});
