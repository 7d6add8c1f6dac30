import { expect, it } from "vitest";
import { z } from "zod";
import type { Access } from "@/lib/permissions/authorize";
import { defineQuery } from "./operation";

function declare(access: Access, target?: () => Promise<null>) {
  const input = z.strictObject({});
  const output = z.object({});
  const handler = async () => ({});
  return () =>
    defineQuery({
      area: "apps",
      name: "get-thing",
      summary: "Get a thing",
      access,
      input,
      output,
      errors: [],
      target,
      handler,
    });
}

it.each<Access>([
  "release:read",
  "any-scope",
  { own: "upload" },
  { own: "upload", anyTarget: "release:create" },
  { link: "manifest" },
])("an operation whose access is %o is not declared without what it acts on", (access) => {
  expect(declare(access)).toThrow("get-thing declares an access to a target, and loads none");
  expect(declare(access, async () => null)).not.toThrow();
});

it.each<Access>(["public", "partial-session", "user", "admin", { anyTarget: "release:create" }])(
  "an operation whose access is %o needs no target",
  (access) => {
    expect(declare(access)).not.toThrow();
  },
);
