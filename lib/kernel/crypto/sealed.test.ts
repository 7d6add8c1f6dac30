import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMasterKeys } from "./master-keys";
import { SealedError, seal, unseal } from "./sealed";

const keyText = () => randomBytes(32).toString("base64");
const keys = parseMasterKeys(keyText());
const place = { table: "SecureVariable", id: "1", column: "value" };

describe("a sealed value", () => {
  it("opens at its place with any content", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (secret) => {
        expect(unseal(seal(secret, place, keys), place, keys)).toEqual(Buffer.from(secret));
      }),
      { numRuns: 50 },
    );
  });

  it("is different each time and does not contain the secret", () => {
    const one = Buffer.from(seal("hunter2hunter2", place, keys));
    const two = Buffer.from(seal("hunter2hunter2", place, keys));
    expect(one.equals(two)).toBe(false);
    expect(one.includes("hunter2hunter2")).toBe(false);
  });

  it.each([
    ["another row", { ...place, id: "2" }],
    ["another column", { ...place, column: "name" }],
    ["another table", { ...place, table: "DevVariable" }],
  ])("does not open in %s", (_where, elsewhere) => {
    const box = seal("secret", place, keys);
    expect(() => unseal(box, elsewhere, keys)).toThrow(SealedError);
  });

  it("does not open if a byte is changed or the end is truncated", () => {
    const box = seal("secret", place, keys);
    for (let at = 0; at < box.length; at++) {
      const changed = Uint8Array.from(box);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => unseal(changed, place, keys), `byte ${at}`).toThrow(SealedError);
      expect(() => unseal(box.subarray(0, at), place, keys), `cut at ${at}`).toThrow(SealedError);
    }
  });

  it("opens with each of the keys and is sealed with the first", () => {
    const [older, newer] = [keyText(), keyText()];
    const box = seal("secret", place, parseMasterKeys(older));
    const both = parseMasterKeys(`${newer},${older}`);
    expect(unseal(box, place, both).toString()).toBe("secret");
    const resealed = seal("secret", place, both);
    expect(unseal(resealed, place, parseMasterKeys(newer)).toString()).toBe("secret");
  });

  it("reports the ID of a missing key", () => {
    const sealer = parseMasterKeys(keyText());
    const box = seal("secret", place, sealer);
    expect(() => unseal(box, place, keys)).toThrow(sealer.current.id);
  });
});

describe("parseMasterKeys", () => {
  it.each(["", "short", randomBytes(31).toString("base64"), `${keyText()},${randomBytes(16).toString("base64")}`])(
    "rejects %j",
    (text) => {
      expect(() => parseMasterKeys(text)).toThrow(/MASTER_KEY/);
    },
  );
});
