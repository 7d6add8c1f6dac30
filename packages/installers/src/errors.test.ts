import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { INSTALLER_ERRORS, InstallerError } from "./errors";

const LOCALES = ["es", "en", "de", "fr", "it", "pt"];

describe("an installer error", () => {
  test.each(LOCALES)("of any reason has a text in %s that shows its values and no others", (locale) => {
    const url = new URL(`../../../messages/${locale}.json`, import.meta.url);
    const texts: Record<string, string> = JSON.parse(readFileSync(url, "utf8")).installerErrors;
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(INSTALLER_ERRORS).toSorted());
    for (const [reason, params] of Object.entries(INSTALLER_ERRORS)) {
      const shown = Array.from(texts[reason]?.matchAll(/\{(\w+)[,}]/g) ?? [], (match) => match[1]);
      expect([reason, ...new Set(shown)].toSorted()).toEqual([reason, ...params].toSorted());
    }
  });

  test("shows a hostile name on one short line, in the order in which it was written", () => {
    const { params } = new InstallerError("entry_duplicate", { name: `a\nb\0\u202Egpa.exe${"x".repeat(500)}` });
    expect(params.name).toMatch(/^a b gpa\.exex+…$/);
    expect(String(params.name).length).toBe(120);
  });
});
