import { hash } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/errors";
import { hashPassword, needsRehash, requireGoodPassword, verifyPassword } from "./passwords";

function refusal(password: string, names: string[] = []): string | null {
  try {
    requireGoodPassword(password, names);
    return null;
  } catch (error) {
    return error instanceof ApiError ? (error.issues[0]?.message ?? "") : String(error);
  }
}

describe("a new password", () => {
  it("is at least twelve characters long, counted as a person counts them", () => {
    expect(refusal("kq7 zx!w mvt")).toBeNull();
    expect(refusal("kq7 zx!w mv")).toBe("passwordTooShort");
    expect(refusal("🦊🐢🦉🐝🦊🐢")).toBe("passwordTooShort");
  });

  it("takes at most 1,024 bytes", () => {
    const varied = "aB3 ".repeat(256);
    expect(refusal(varied)).toBeNull();
    expect(refusal(`${varied}x`)).toBe("passwordTooLong");
  });

  it.each(["password12345", "PASSWORD1234", "qwertyqwerty", "aaaaaaaaaaaa", "1qaz2wsx3edc"])("is not %s", (common) => {
    expect(refusal(common)).toBe("passwordCommon");
  });

  it("is not made of the person's or the product's own names", () => {
    expect(refusal("lovelace2026", ["Ada Lovelace"])).toBe("passwordFromNames");
    expect(refusal("Slipway-2026!", ["slipway"])).toBe("passwordFromNames");
    expect(refusal("ada.lovelace@example", ["ada.lovelace@example.test"])).toBe("passwordFromNames");
    expect(refusal("lovelace rides a bicycle", ["Ada Lovelace"])).toBeNull();
  });
});

describe("a password's hash", () => {
  it("is argon2id with 64 MiB, 3 passes and one lane", async () => {
    expect(await hashPassword("correct horse")).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  });

  it("is met by its password alone", async () => {
    const passwordHash = await hashPassword("correct horse");
    expect(await verifyPassword(passwordHash, "correct horse")).toBe(true);
    expect(await verifyPassword(passwordHash, "Correct horse")).toBe(false);
  });

  it("is made anew when it is weaker than today's", async () => {
    expect(needsRehash(await hash("x", { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }))).toBe(true);
    expect(needsRehash(await hashPassword("x"))).toBe(false);
  });

  it("costs the same time where there is none to compare with", async () => {
    const passwordHash = await hashPassword("correct horse");
    const timed = async (against: string | null) => {
      const begun = performance.now();
      expect(await verifyPassword(against, "wrong horse")).toBe(false);
      return performance.now() - begun;
    };
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;
    const pairs: [number, number][] = [];
    for (let turn = 0; turn < 9; turn++) pairs.push([await timed(passwordHash), await timed(null)]);
    const [real, decoy] = [median(pairs.map(([first]) => first)), median(pairs.map(([, second]) => second))];
    // A hash is one of a hundred milliseconds; a decoy that were skipped or malformed would take none.
    expect(decoy).toBeGreaterThan(real / 2);
  });
});
