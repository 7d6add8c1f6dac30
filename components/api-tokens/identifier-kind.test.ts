import { describe, expect, it } from "vitest";
import { identifierKind, shortIdentifier } from "./identifier-kind";

const HEX = "0123456789abcdef".repeat(4);
const COLONS = (HEX.match(/../g) as string[]).join(":").toUpperCase();

describe("identifierKind", () => {
  it("distinguishes the three kinds", () => {
    expect(identifierKind("server")).toBe("server");
    expect(identifierKind(HEX)).toBe("android");
    expect(identifierKind(COLONS)).toBe("android");
    expect(identifierKind("com.acme.notes")).toBe("ios");
    expect(identifierKind("server.acme")).toBe("ios");
  });
});

describe("shortIdentifier", () => {
  it("shortens fingerprints with and without colons, and nothing else", () => {
    expect(shortIdentifier(HEX)).toBe("01234567…89abcdef");
    expect(shortIdentifier(COLONS)).toBe("01234567…89abcdef");
    expect(shortIdentifier("com.acme.notes")).toBe("com.acme.notes");
    expect(shortIdentifier("server")).toBe("server");
  });
});
