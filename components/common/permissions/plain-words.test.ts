import { createFormatter, createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { FORMAT_LOCALES, LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { SCOPES } from "@/lib/permissions/scopes";
import { inPlainWords, type Reach, verbsByResource } from "./plain-words";

function sentenceIn(locale: Locale, reach: Reach): string {
  const formatLocale = FORMAT_LOCALES[locale];
  const t = createTranslator({ locale: formatLocale, messages: messagesFor(locale), namespace: "permissions.plain" });
  return inPlainWords(t, createFormatter({ locale: formatLocale }), reach);
}

const testers: Reach = {
  role: { name: "Testers" },
  scopes: ["release:download"],
  apps: [
    { name: "Orbit", environments: [{ name: "QA" }, { name: "Alpha" }] },
    { name: "Harbour", environments: "all" },
  ],
};

describe("a role's permissions in plain words", () => {
  it.each<[Locale, string]>([
    ["en", "Testers can see and download releases in every environment of Harbour and in QA and Alpha of Orbit."],
    ["es", "El rol Testers puede ver y descargar versiones en todos los entornos de Harbour y en QA y Alpha de Orbit."],
    [
      "de",
      "Die Rolle „Testers“ kann in jeder Umgebung von Harbour und in QA und Alpha von Orbit Releases ansehen und herunterladen.",
    ],
    [
      "fr",
      "Le rôle « Testers » peut voir et télécharger des versions dans tous les environnements de Harbour et dans QA et Alpha de Orbit.",
    ],
    [
      "it",
      "Il ruolo Testers può vedere e scaricare versioni in tutti gli ambienti di Harbour e in QA e Alpha di Orbit.",
    ],
    ["pt", "A função Testers pode ver e baixar versões em todos os ambientes de Harbour e em QA e Alpha de Orbit."],
  ])("is a sentence in %s", (locale, sentence) => {
    expect(sentenceIn(locale, testers)).toBe(sentence);
  });

  it('groups whole applications, and says "every application" for all', () => {
    const whole = { name: "Dock", environments: "all" as const };
    expect(sentenceIn("en", { ...testers, apps: [whole, { ...whole, name: "Pier" }] })).toBe(
      "Testers can see and download releases in every environment of Dock and Pier.",
    );
    expect(sentenceIn("en", { ...testers, apps: "all" })).toBe(
      "Testers can see and download releases in every environment of every application.",
    );
  });

  it("names people instead of a role that is not known yet", () => {
    const reach = { ...testers, role: null, apps: [{ name: "Dock", environments: "all" as const }] };
    expect(sentenceIn("en", reach)).toBe("They can see and download releases in every environment of Dock.");
    for (const locale of LOCALES) expect(sentenceIn(locale, reach)).not.toMatch(/null|[{}]/);
  });

  it("has texts for every scope in every language", () => {
    for (const locale of LOCALES) {
      const sentence = sentenceIn(locale, { role: { name: "Testers" }, scopes: SCOPES, apps: "all" });
      expect(sentence).not.toMatch(/permissions\.|undefined|[{}]/);
    }
  });

  it("names included scopes too", () => {
    expect([...verbsByResource(["release:delete", "environment:write"])]).toEqual([
      ["release", ["read", "delete"]],
      ["environment", ["read", "write"]],
    ]);
  });
});
