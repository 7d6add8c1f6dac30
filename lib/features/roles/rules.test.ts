import { describe, expect, it } from "vitest";
import { isReservedName } from "./rules";

describe("a role's name", () => {
  it.each([
    "SUPER_ADMIN",
    "super_admin",
    " Super Admin ",
    "SUPER  ADMIN",
    "super-admin",
    "SuperAdmin",
    "s.u.p.e.r admin",
    "SUPER_ADMIN\u200b",
    "ＳＵＰＥＲ＿ＡＤＭＩＮ",
  ])("is reserved where a reader takes it for SUPER_ADMIN: %j", (name) => {
    expect(isReservedName(name)).toBe(true);
  });

  it.each(["Admin", "Super", "SUPER_ADMINS", "SUPER_ADMIN 2", "Testers"])("is free otherwise: %j", (name) => {
    expect(isReservedName(name)).toBe(false);
  });
});
