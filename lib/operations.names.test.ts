import { describe, expect, it } from "vitest";
import { z } from "zod";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { operations } from "@/lib/operations";

/** The inputs that name something, by the field. */
const NAMES = ["name", "firstNames", "lastNames", "team", "registrant"];

const named = Object.values(operations).flatMap(({ name: operation, kind, input }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return NAMES.filter((field) => kind === "command" && field in properties).map((field) => ({
    operation,
    field,
    input,
  }));
});

describe("a command", () => {
  // Names of files have a rule of their own.
  const others = named.filter(({ operation }) => !["create-upload", "create-release-file"].includes(operation));

  it.each(others)("refuses control characters in $operation’s $field", ({ field, input }) => {
    const { error } = input.safeParse({ [field]: "a\u202eb\u0007" });
    expect(error?.issues.some(({ path, code }) => path[0] === field && code === "invalid_format")).toBe(true);
  });

  it("names something in many places", () => {
    expect(others.length).toBeGreaterThan(20);
  });
});

/** Commands whose failure no screen of the console shows as a notification with a title of its own. */
const WITHOUT_TITLE: readonly string[] = [
  // Nobody waits for them.
  "apps/record-testing-deploy-opening",
  "auth/dismiss-tour",
  "auth/refresh",
  // The upload and the page of a finished sign-in show what failed themselves.
  "auth/oauth-login-create-session",
  "files/abort-upload",
  "files/complete-upload",
  "files/upload-part",
  // Testers without an account and programs call them.
  "auth/create-tool-session",
  "devices/complete-device-enrollment",
  "share-links/begin-share-link-install",
  "share-links/create-share-link-feedback",
  "share-links/unlock-share-link",
  "testers/create-tester-feedback",
];

it("has a title for the failure of each command that a screen sends", () => {
  const commands = Object.entries(operations).filter(([, { method }]) => method !== "GET");
  const titles = messagesFor("en").failures;
  const untitled = commands.map(([path]) => path).filter((path) => !(path in titles));
  expect(untitled.sort()).toEqual(WITHOUT_TITLE.toSorted());
});
