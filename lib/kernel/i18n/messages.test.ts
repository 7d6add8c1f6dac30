import { isDeepStrictEqual } from "node:util";
import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { type IcuArguments, icuArguments } from "@/lib/testing/icu-arguments";
import { DEFAULT_LOCALE, FORMAT_LOCALES, LOCALES, type Locale } from "./locales";
import { type Messages, messagesFor } from "./translator";

const OTHERS = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE);

/** Brands, technical terms and words that are the same in Spanish and another language. */
const SHARED_WORDS = new Set(
  `2fa aab android apache api apis apk app apple auditoría authority azure base64 build builds bundle caddy chat ci cli csv
  curl de discord docker email env error errors excel feedback general github gitlab google hash home http https icon
  id ids ios ipa ipad iphone json jwt kb key kubernetes local logo logos mac manual mattermost mb microsoft ms nginx no
  normal oauth oidc openid openssl package passkey passkeys pem pkce png popular postgresql proxy qr roles s s3 safari
  scopes sdk server sha sha-256 sha256 slack slipway smtp sso svg team teams tester testers token tokens total traefik
  tv uri url urls uuid variables version vision watch web webauthn webhooks webp xml yaml`.split(/\s+/),
);

/** Languages in which short texts are often the same as in Spanish, so that only longer ones are checked. */
const CLOSE_TO_SPANISH: readonly Locale[] = ["it", "pt"];
const SENTENCE_WORDS = 4;

/** A space that may break before or after punctuation that French sets apart. */
const FRENCH_BREAKING_SPACE = / [;:!?»]|« /;

/** Letters and punctuation that do not occur in the language, but in another of the six. */
const FOREIGN_LETTERS: Record<Locale, RegExp> = {
  es: /[ãõäößœàèìòùâêôîûç]/i,
  en: /[ñ¿¡ãõäößœ]/i,
  de: /[ñ¿¡ãõœ]/i,
  fr: /[ñ¿¡ãõäöß]/i,
  it: /[ñ¿¡ãõäößœç]/i,
  pt: /[ñ¿¡äößœ]/i,
};

function textsOf(locale: Locale): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (node: object, prefix: string) => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "string") texts.set(prefix + key, value);
      else walk(value, `${prefix}${key}.`);
    }
  };
  walk(messagesFor(locale), "");
  return texts;
}

const TEXTS = Object.fromEntries(LOCALES.map((locale) => [locale, textsOf(locale)])) as Record<
  Locale,
  Map<string, string>
>;

/** Returns the words of a text, without arguments, tags and ICU syntax. */
function wordsOf(text: string): string[] {
  const plain = text
    .replaceAll(/\b\w+, (?:plural|select|selectordinal),/g, "")
    .replaceAll(/(?:=\d+|\b(?:zero|one|two|few|many|other|masculine|feminine))(?=\s*\{)/g, "")
    .replaceAll(/\{\s*\w+(?:, \w+)?\s*\}|<\/?\w+>/g, " ");
  return plain.toLowerCase().match(/[\p{L}\d][\p{L}\d-]*/gu) ?? [];
}

/** Returns whether a text that equals the Spanish one is probably untranslated. */
function looksUntranslated(text: string, locale: Locale): boolean {
  const words = wordsOf(text);
  const own = new Set(words.filter((word) => !SHARED_WORDS.has(word) && !/^[\d-]+$/.test(word)));
  return own.size >= (CLOSE_TO_SPANISH.includes(locale) ? SENTENCE_WORDS : 1);
}

/** Returns values for all arguments of a text, one set for each branch of its `select` arguments. */
function sampleValues(text: string, types: IcuArguments): Record<string, unknown>[] {
  const choices = Object.entries(types).flatMap(([name, type]) => {
    if (type !== "select") return [];
    const branches = new RegExp(`\\{\\s*${name}\\s*,\\s*select\\s*,(.*)`, "s").exec(text)?.[1] ?? "";
    return [...branches.matchAll(/(\w+)\s*\{/g)].map(([, branch]) => ({ [name]: branch }));
  });
  const base = Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      if (type === "tag") return [name.slice(1, -1), (chunks: string) => chunks];
      if (type === "date" || type === "time") return [name, new Date(0)];
      return [name, type === "number" || type.startsWith("plural") || type === "selectordinal" ? 2 : "other"];
    }),
  );
  return choices.length > 0 ? choices.map((choice) => ({ ...base, ...choice })) : [base];
}

describe.each(OTHERS)("messages/%s.json", (locale) => {
  it("has the same keys as the Spanish file", () => {
    expect([...TEXTS[locale].keys()].sort()).toEqual([...TEXTS.es.keys()].sort());
  });

  it("has the same ICU arguments and tags in each text as the Spanish file", () => {
    const differing = [...TEXTS.es].flatMap(([key, spanish]) => {
      const expected = kinds(icuArguments(spanish));
      const actual = kinds(icuArguments(TEXTS[locale].get(key) ?? ""));
      return isDeepStrictEqual(actual, expected) ? [] : [{ key, expected, actual }];
    });
    expect(differing).toEqual([]);
  });

  it("has no untranslated text", () => {
    const left = [...TEXTS[locale]].filter(
      ([key, text]) => text === TEXTS.es.get(key) && looksUntranslated(text, locale),
    );
    expect(left).toEqual([]);
  });
});

describe.each(LOCALES)("messages/%s.json", (locale) => {
  it("has no empty text and no text with leading or trailing spaces", () => {
    expect([...TEXTS[locale]].filter(([, text]) => text === "" || text !== text.trim())).toEqual([]);
  });

  it("has no letters of another language", () => {
    expect([...TEXTS[locale]].filter(([, text]) => FOREIGN_LETTERS[locale].test(text))).toEqual([]);
  });

  it("has only texts that can be formatted, in each branch", () => {
    const failed: string[] = [];
    const t = createTranslator<Messages>({
      locale: FORMAT_LOCALES[locale],
      messages: messagesFor(locale),
      timeZone: "UTC",
      onError: (error) => failed.push(error.message),
    }) as unknown as { markup(key: string, values: Record<string, unknown>): string };
    for (const [key, text] of TEXTS[locale]) {
      for (const values of sampleValues(text, icuArguments(text))) t.markup(key, values);
    }
    expect(failed).toEqual([]);
  });
});

it("the French texts have spaces that do not break next to punctuation", () => {
  expect([...TEXTS.fr].filter(([, text]) => FRENCH_BREAKING_SPACE.test(text))).toEqual([]);
});

describe("icuArguments", () => {
  it("finds arguments in every branch, with their types", () => {
    expect(icuArguments("{n, plural, one {# of {who}} other {# of {many, number}}} <b>x</b>")).toEqual({
      n: "plural",
      who: "plain",
      many: "number",
      "<b>": "tag",
    });
  });

  it("treats quoted braces as text", () => {
    expect(icuArguments("write '{name}' for {what}")).toEqual({ what: "plain" });
  });

  it("rejects braces that do not match", () => {
    expect(() => icuArguments("{n, plural, other {#}")).toThrow("not closed");
    expect(() => icuArguments("a } b")).toThrow("unexpected");
  });
});

/** Returns the kind of each argument. `number` and `plural` are the same kind, since not every language needs a plural. */
function kinds(types: IcuArguments): Record<string, string> {
  const kindOf = (type: string) => {
    if (["number", "plural", "selectordinal"].includes(type)) return "number";
    return type === "select" || type === "plain" ? "text" : type;
  };
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, kindOf(type)]));
}
