import { hash } from "@node-rs/argon2";
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/kernel/errors";
import { hashPassword, needsRehash, passwordHashes, requireGoodPassword, verifyPassword } from "./passwords";

/** How many passwords are hashed or compared at this moment, and were at most. */
const atOnce = vi.hoisted(() => ({ now: 0, most: 0 }));
/** Takes its turn and costs nothing. */
const UNCOMPARED = vi.hoisted(() => "a password that is not compared");
/** What passwords were compared with. */
const comparedWith = vi.hoisted(() => [] as string[]);

// The real functions, with a spy: times cannot be compared on a busy machine.
vi.mock("@node-rs/argon2", async (importOriginal) => {
  const original = await importOriginal<typeof import("@node-rs/argon2")>();
  const counted =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      atOnce.now += 1;
      atOnce.most = Math.max(atOnce.most, atOnce.now);
      try {
        return await work(...args);
      } finally {
        atOnce.now -= 1;
      }
    };
  const verify: typeof original.verify = (hashed, ...more) => {
    comparedWith.push(hashed.toString());
    const [password] = more;
    return password === UNCOMPARED ? Promise.resolve(false) : original.verify(hashed, ...more);
  };
  return { ...original, hash: counted(original.hash), verify: counted(verify) };
});

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

  it("is made and compared with at most two others at the same time, and all are completed", async () => {
    atOnce.most = 0;
    const compared = ["a", "b", "c"].map((id) => verifyPassword(null, "correct horse", { lane: "sign-in", id }));
    const made = ["d", "e"].map((id) => hashPassword("correct horse", { lane: "sign-in", id }));
    expect(await Promise.all(compared)).toEqual([false, false, false]);
    expect(await Promise.all(made)).toHaveLength(2);
    expect(atOnce).toEqual({ now: 0, most: 3 });
  });

  it("of one caller leaves a place for another one's", async () => {
    atOnce.most = 0;
    const flood = Array.from({ length: 4 }, () => verifyPassword(null, "wrong", { lane: "sign-in", id: "flood" }));
    expect(passwordHashes()).toEqual({ running: 2, waiting: 2 });
    const other = verifyPassword(null, "correct horse", { lane: "sign-in", id: "other" });
    expect(passwordHashes()).toEqual({ running: 3, waiting: 2 });
    await Promise.all([...flood, other]);
  });

  it("of a link is one at a time for all callers, and leaves two places for signing in", async () => {
    const tries = ["a", "b", "c"].map((id) => verifyPassword(null, "wrong", { lane: "link", id }));
    expect(passwordHashes()).toEqual({ running: 1, waiting: 2 });
    const signIns = ["d", "e"].map((id) => verifyPassword(null, "correct horse", { lane: "sign-in", id }));
    expect(passwordHashes()).toEqual({ running: 3, waiting: 2 });
    await Promise.all([...tries, ...signIns]);
  });

  it("is refused to a caller of whom a hundred wait, and to nobody else", async () => {
    const caller = { lane: "link", id: "flood" } as const;
    const tries = Array.from({ length: 101 }, () => verifyPassword(null, UNCOMPARED, caller));
    await expect(verifyPassword(null, UNCOMPARED, caller)).rejects.toMatchObject({ code: "rate_limited", status: 429 });
    expect(await verifyPassword(null, UNCOMPARED, { lane: "link", id: "other" })).toBe(false);
    await Promise.all(tries);
  });

  it("matches its password only", async () => {
    const passwordHash = await hashPassword("correct horse");
    expect(await verifyPassword(passwordHash, "correct horse")).toBe(true);
    expect(await verifyPassword(passwordHash, "Correct horse")).toBe(false);
  });

  it("needs a new hash if it is weaker than the current ones", async () => {
    expect(needsRehash(await hash("x", { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }))).toBe(true);
    expect(needsRehash(await hashPassword("x"))).toBe(false);
  });

  it("is replaced by a decoy with the same cost if there is none to compare with", async () => {
    const passwordHash = await hashPassword("correct horse");
    comparedWith.length = 0;
    expect(await verifyPassword(null, "wrong horse")).toBe(false);
    const [decoy = "", ...more] = comparedWith;
    expect(more).toEqual([]);
    expect(needsRehash(decoy)).toBe(false);
    // Each part has the right length, so that it is parsed as a hash.
    const lengths = (hashed: string) => hashed.split("$").map((part) => part.length);
    expect(lengths(decoy)).toEqual(lengths(passwordHash));
  });
});
