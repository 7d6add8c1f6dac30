import { describe, expect, it, vi } from "vitest";
import { message } from "../../testing/android-protobuf";
import { lastNumber, lastString, ProtobufError, protobufFields } from "./protobuf";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

describe("protobuf messages", () => {
  it("are read field by field, and the last value of a field counts", () => {
    const bytes = message([
      [1, 150],
      [2, "first"],
      [2, "last"],
      [536870911, 0xffffffff],
      [3, -1],
    ]);
    expect([...protobufFields(bytes)].map(({ number }) => number)).toEqual([1, 2, 2, 536870911, 3]);
    expect(lastNumber(bytes, 1)).toBe(150);
    expect(lastString(bytes, 2)).toBe("last");
    expect(lastNumber(bytes, 536870911)).toBe(0xffffffff);
    expect(lastNumber(bytes, 3) | 0).toBe(-1);
    expect(lastNumber(bytes, 4)).toBe(0);
    expect(lastString(bytes, 4)).toBe("");
  });

  it.each([
    ["a varint without an end", [0x08, 0xff]],
    ["a varint of more than ten bytes", [0x08, ...Array.from({ length: 10 }, () => 0xff), 0x01]],
    ["a length behind the end", [0x0a, 0x05, 0x01]],
    ["a length of 2^32", [0x0a, 0x80, 0x80, 0x80, 0x80, 0x10]],
    ["a fixed number cut short", [0x09, 0x01]],
    ["field number 0", [0x02, 0x00]],
    ["a group", [0x0b]],
  ])("are refused when they hold %s", (_, bytes) => {
    expect(() => [...protobufFields(Uint8Array.from(bytes))]).toThrow(ProtobufError);
  });
});
