import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { berIndefinite, der, derInteger, derOid, TAG } from "../../testing/der";
import { bitsOf, childrenOf, DER_TAG, objectIdentifierOf, octetsOf, parseDer, sequenceOf } from "./der";

describe("DER", () => {
  it("is parsed as nested values with their encoded bytes", () => {
    const inner = derInteger("80");
    const bytes = der(TAG.sequence, inner, derOid("1.2.840.113549.1.7.2"));
    const [integer, oid] = sequenceOf(parseDer(bytes));
    expect(integer?.tag).toBe(DER_TAG.integer);
    expect(Buffer.from(integer?.encoded ?? [])).toEqual(inner);
    expect(Buffer.from(integer?.contents ?? [])).toEqual(Buffer.of(0x00, 0x80));
    expect(objectIdentifierOf(oid)).toBe("1.2.840.113549.1.7.2");
  });

  it("is parsed with lengths of several octets", () => {
    const contents = Buffer.alloc(70_000, 7);
    expect(octetsOf(parseDer(der(TAG.octetString, contents)))).toHaveLength(70_000);
  });

  it("is parsed in the indefinite form of BER, with strings in parts", () => {
    const parts = berIndefinite(
      TAG.octetStrings,
      der(TAG.octetString, Buffer.of(1, 2)),
      der(TAG.octetString, Buffer.of(3)),
    );
    const [string, after] = sequenceOf(parseDer(berIndefinite(TAG.sequence, parts, derInteger("1"))));
    expect(Buffer.from(octetsOf(string) ?? [])).toEqual(Buffer.of(1, 2, 3));
    expect(after?.tag).toBe(DER_TAG.integer);
  });

  it.each([
    ["nothing", []],
    ["bytes after the value", [0x05, 0x00, 0x00]],
    ["a length behind the end", [0x04, 0x02, 0x00]],
    ["a length of five octets", [0x04, 0x85, 0, 0, 0, 0, 0]],
    ["an indefinite primitive", [0x04, 0x80, 0x00, 0x00]],
    ["an indefinite value without an end", [0x30, 0x80, 0x05, 0x00]],
    ["a tag of several octets", [0x1f, 0x81, 0x01, 0x00]],
  ])("is refused: %s", (_, bytes) => {
    expect(parseDer(Uint8Array.from(bytes))).toBeNull();
  });

  it("is refused when the contents of a SEQUENCE exceed it", () => {
    const bytes = der(TAG.sequence, derInteger("1"), derInteger("2"));
    bytes[1] = 4;
    expect(parseDer(bytes)).toBeNull();
    expect(childrenOf(parseDer(Uint8Array.of(0x30, 0x02, 0x02, 0x05)))).toEqual([]);
  });

  it("is refused when it is nested too deeply", () => {
    let deep: Buffer = Buffer.of(0x05, 0x00);
    for (let level = 0; level < 1000; level++) deep = berIndefinite(TAG.sequence, deep);
    expect(parseDer(deep)).toBeNull();
  });

  it("has a BIT STRING only of whole octets", () => {
    expect(bitsOf(parseDer(Uint8Array.of(0x03, 0x02, 0x00, 0xff)))).toEqual(Uint8Array.of(0xff));
    expect(bitsOf(parseDer(Uint8Array.of(0x03, 0x02, 0x04, 0xf0)))).toBeNull();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const value = parseDer(bytes);
        return [...childrenOf(value)].every((child) => typeof objectIdentifierOf(child) === "string");
      }),
    );
  });
});
