import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMasterKeys } from "./master-keys";
import { ENVELOPE_BYTES, masterKeyId, rewrap, SealedError, seal, unseal } from "./sealed";

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
    expect(() => unseal(box, elsewhere, keys)).toThrow(expect.objectContaining({ place: elsewhere }));
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

  it("that was opened before does not open if it is changed or moved, or with other keys", () => {
    const box = seal("secret", place, keys);
    expect(unseal(box, place, keys).toString()).toBe("secret");
    for (let at = 0; at < box.length; at++) {
      const changed = Uint8Array.from(box);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => unseal(changed, place, keys), `byte ${at}`).toThrow(SealedError);
    }
    expect(() => unseal(box, { ...place, id: "2" }, keys)).toThrow(SealedError);
    expect(() => unseal(box, place, parseMasterKeys(keyText()))).toThrow(SealedError);
    expect(unseal(box, place, keys).toString()).toBe("secret");
  });

  it("keeps at most 10,000 data keys in memory", () => {
    const few = parseMasterKeys(keyText());
    for (let id = 0; id <= 10_000; id++)
      unseal(seal("x", { ...place, id: `${id}` }, few), { ...place, id: `${id}` }, few);
    expect(few.dataKeys.size).toBe(10_000);
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

describe("a sealed value whose data key is wrapped again", () => {
  const [older, newer] = [keyText(), keyText()];
  const both = parseMasterKeys(`${newer},${older}`);
  const box = seal("secret", place, parseMasterKeys(older));

  it("opens with the new key alone, and its ciphertext is the same", () => {
    const rewrapped = rewrap(box.subarray(0, ENVELOPE_BYTES), place, both);
    expect(rewrapped).toHaveLength(ENVELOPE_BYTES);
    expect(masterKeyId(rewrapped)).toBe(both.current.id);
    const whole = Buffer.concat([rewrapped, box.subarray(ENVELOPE_BYTES)]);
    expect(unseal(whole, place, parseMasterKeys(newer)).toString()).toBe("secret");
  });

  it("is not created for another place, without the old key or from another kind of value", () => {
    expect(() => rewrap(box, { ...place, id: "2" }, both)).toThrow(SealedError);
    expect(() => rewrap(box, place, parseMasterKeys(newer))).toThrow(parseMasterKeys(older).current.id);
    expect(() => rewrap(box.subarray(0, ENVELOPE_BYTES - 1), place, both)).toThrow(SealedError);
    expect(masterKeyId(Buffer.from("no sealed value"))).toBeNull();
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
