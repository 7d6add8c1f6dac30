import { describe, expect, it } from "vitest";
import { emailSchema } from "./schema";

describe("an e-mail", () => {
  it.each([
    "ada@example.test",
    "Ada.Lovelace+beta@mail.Example.TEST",
    "o'brien@example.test",
    "a_b%c@example.test",
    "a/b=c!{x}@example.test",
    "ada_acme.com#EXT#@guests.onmicrosoft.com",
    "ada@xn--exmple-cua.test",
    "ada@example.xn--p1ai",
  ])("may be %j", (email) => {
    expect(emailSchema.parse(` ${email} `)).toBe(email);
  });

  it.each([
    "",
    "ada",
    "ada@localhost",
    "@example.test",
    "ada@",
    ".ada@example.test",
    "ada.@example.test",
    "a..b@example.test",
    "ada@-example.test",
    "ada@example..test",
    "ada@example.test.",
    "ada@example.1",
    "a da@example.test",
    "ada@example.test, eve@example.test",
    "Ada <ada@example.test>",
    "ada@example.test\r\nBcc: eve@example.test",
    '"ada"@example.test',
    "ada@[127.0.0.1]",
    `${"a".repeat(250)}@example.test`,
  ])("is not %j", (email) => {
    expect(emailSchema.safeParse(email).success).toBe(false);
  });
});
