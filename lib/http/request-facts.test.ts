import { describe, expect, it } from "vitest";
import { localeOf } from "./request-facts";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("the language of an answer", () => {
  it.each([
    ["English for a script without a language, such as curl", { "user-agent": "curl/8.14.1" }, "en"],
    ["English for a caller that says nothing at all", {}, "en"],
    ["English for a script that accepts any language, such as with fetch of Node.js", { "accept-language": "*" }, "en"],
    ["Spanish for a browser that accepts any language", { "user-agent": CHROME, "accept-language": "*" }, "es"],
    ["English for a token", { authorization: "Bearer x", "accept-language": "ja" }, "en"],
    ["Spanish for a browser without a language", { "user-agent": CHROME }, "es"],
    ["Spanish for a browser whose languages the console does not have", { "accept-language": "ja, ko" }, "es"],
    ["the language that a script asks for", { "user-agent": "curl/8.14.1", "accept-language": "de" }, "de"],
    ["the language that the user chose", { cookie: "locale=fr", "accept-language": "de" }, "fr"],
  ])("is %s", (_, headers, locale) => {
    expect(localeOf(new Headers(headers as Record<string, string>))).toBe(locale);
  });
});
