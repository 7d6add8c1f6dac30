import { describe, expect, it } from "vitest";
import {
  complexDimension,
  complexFraction,
  decodeModifiedUtf8,
  decodeResValue,
  NO_RESOURCES,
  type ResourceValue,
  resolveBoolean,
  resolveInteger,
  resolveText,
} from "./resource-table";

const noStrings = () => null;

describe("a Res_value", () => {
  it.each<[string, number, number, ResourceValue]>([
    ["null", 0x00, 0, { type: "null" }],
    ["a reference", 0x01, 0x7f010002, { type: "reference", id: 0x7f010002 }],
    ["a dynamic reference", 0x07, 0x02010002, { type: "reference", id: 0x02010002 }],
    ["a reference to nothing", 0x01, 0, { type: "null" }],
    ["an attribute of the theme", 0x02, 0x7f010002, { type: "attribute", id: 0x7f010002 }],
    ["a missing string", 0x03, 9, { type: "null" }],
    ["a float", 0x04, 0x3fc00000, { type: "float", value: 1.5 }],
    ["24 dp", 0x05, 0x1801, { type: "dimension", value: 24 }],
    ["half", 0x06, 0x40000030, { type: "fraction", value: 0.5 }],
    ["a decimal number", 0x10, 0xffffffff, { type: "integer", value: -1 }],
    ["a hexadecimal number", 0x11, 0x1f, { type: "integer", value: 31 }],
    ["true", 0x12, 0xffffffff, { type: "boolean", value: true }],
    ["false", 0x12, 0, { type: "boolean", value: false }],
    ["a colour", 0x1d, 0xff336699, { type: "color", argb: 0xff336699 }],
    ["an unknown type", 0x77, 1, { type: "null" }],
  ])("is read: %s", (_, type, data, expected) => {
    expect(decodeResValue(type, data, noStrings)).toEqual(expected);
  });

  it("may be a dimension with a radix and a unit", () => {
    expect(complexDimension(0x00008011)).toBe(1); // 16p7 dp
    expect(complexDimension((72 << 8) | 0x03)).toBeCloseTo(160); // 72 pt are an inch
    expect(complexDimension((-3 << 8) | 0x01)).toBe(-3);
    expect(complexFraction((1 << 8) | 0x00)).toBe(1);
  });
});

describe("coercion of values", () => {
  it("formats numbers as on Android", () => {
    expect(resolveText(NO_RESOURCES, { type: "float", value: Math.fround(1.1) })).toBe("1.1");
    expect(resolveText(NO_RESOURCES, { type: "float", value: 2 })).toBe("2");
    expect(resolveText(NO_RESOURCES, { type: "integer", value: -3 })).toBe("-3");
    expect(resolveText(NO_RESOURCES, { type: "boolean", value: true })).toBe("true");
    expect(resolveText(NO_RESOURCES, { type: "color", argb: 1 })).toBeNull();
    expect(resolveText(NO_RESOURCES, null)).toBeNull();
  });

  it("reads integers from text", () => {
    const integer = (value: string) => resolveInteger(NO_RESOURCES, { type: "string", value });
    expect(integer("21")).toBe(21);
    expect(integer(" 0x15 ")).toBe(21);
    expect(integer("-1")).toBe(-1);
    for (const text of ["", "21.0", "1e3", "R", "99999999999", "9999999999"]) expect(integer(text)).toBeNull();
  });

  it("reads booleans from text and numbers", () => {
    expect(resolveBoolean(NO_RESOURCES, { type: "string", value: "true" })).toBe(true);
    expect(resolveBoolean(NO_RESOURCES, { type: "string", value: "no" })).toBe(false);
    expect(resolveBoolean(NO_RESOURCES, { type: "integer", value: -1 })).toBe(true);
    expect(resolveBoolean(NO_RESOURCES, null)).toBeNull();
  });
});

describe("modified UTF-8", () => {
  it.each([
    ["plain text", [0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac], "aé€"],
    ["four bytes", [0xf0, 0x9f, 0x98, 0x80], "😀"],
    ["surrogates of three bytes each", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], "😀"],
    ["a NUL of two bytes", [0x61, 0xc0, 0x80, 0x62], "a\0b"],
    ["four bytes beside surrogates", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0xf0, 0x9f, 0x98, 0x80], "😀😀"],
    ["damage", [0x61, 0xff, 0xc3], "a\ufffd\ufffd"],
  ])("is decoded: %s", (_, bytes, text) => {
    expect(decodeModifiedUtf8(Uint8Array.from(bytes))).toBe(text);
  });
});
