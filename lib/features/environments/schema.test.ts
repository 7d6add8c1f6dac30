import { describe, expect, it } from "vitest";
import { createEnvironmentAppInput, MAX_IDENTIFIERS, updateEnvironmentAppInput } from "./schema";

const appId = "019a0000-0000-7000-8000-0000000000a1";

describe("an environment's identifiers", () => {
  it("are a set in the given order, without duplicates", () => {
    const { identifiers } = createEnvironmentAppInput.parse({
      appId,
      name: "Staging",
      identifiers: ["com.acme.b", "com.acme.a", " com.acme.b "],
    });
    expect(identifiers).toEqual(["com.acme.b", "com.acme.a"]);
  });

  it("are at most fifty", () => {
    const list = (length: number) => Array.from({ length }, (_, index) => `com.acme.a${index}`);
    const given = (length: number) => ({ appId, name: "Staging", identifiers: list(length) });
    expect(createEnvironmentAppInput.safeParse(given(MAX_IDENTIFIERS)).success).toBe(true);
    expect(createEnvironmentAppInput.safeParse(given(MAX_IDENTIFIERS + 1)).success).toBe(false);
  });

  it("are reported by position if one is malformed", () => {
    const parsed = updateEnvironmentAppInput.safeParse({ id: appId, identifiers: ["com.acme.a", "acme."] });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([["identifiers", 1]]);
  });
});

it("by default, an environment is active and accepts only the app's identifier", () => {
  expect(createEnvironmentAppInput.parse({ appId, name: " Staging " })).toEqual({
    appId,
    name: "Staging",
    status: "active",
    identifiers: [],
  });
});
