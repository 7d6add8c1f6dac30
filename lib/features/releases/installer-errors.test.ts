import { readFileSync } from "node:fs";
import { INSTALLER_ERRORS } from "@slipway/installers";
import { describe, expect, test } from "vitest";

const LOCALES = ["es", "en", "de", "fr", "it", "pt"];

describe("the texts of installer errors", () => {
  test.each(LOCALES)("in %s cover every reason with its parameters and no others", (locale) => {
    const url = new URL(`../../../messages/${locale}.json`, import.meta.url);
    const texts: Record<string, string> = JSON.parse(readFileSync(url, "utf8")).installerErrors;
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(INSTALLER_ERRORS).toSorted());
    for (const [reason, params] of Object.entries(INSTALLER_ERRORS)) {
      const shown = Array.from(texts[reason]?.matchAll(/\{(\w+)[,}]/g) ?? [], (match) => match[1]);
      expect([reason, ...new Set(shown)].toSorted()).toEqual([reason, ...params].toSorted());
    }
  });
});
