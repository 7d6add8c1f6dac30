import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/i18n/locales";
import { composeMail, type MailPurpose } from "./compose";

process.env.DATABASE_URL = "postgresql://localhost/unused";

const PURPOSES: MailPurpose[] = ["recovery", "invitation", "password-changed"];

const facts = {
  brand: "Acme",
  name: "Ada",
  email: "ada@example.test",
  url: "https://slipway.example.com/reset-password?token=abc&x=1",
  minutes: 7 * 24 * 60,
};

describe.each(PURPOSES)("the mail for %s", (purpose) => {
  it.each(LOCALES)("says the same in both of its parts, in %s", (locale) => {
    const { subject, html, text } = composeMail({ ...facts, purpose, locale });
    expect(subject).toContain("Acme");
    expect(html).toContain(`<html lang="${locale}">`);
    expect(text).toContain(facts.url);
    expect(html.split('href="https://slipway.example.com/reset-password?token=abc&amp;x=1"')).toHaveLength(3);
    for (const part of [html, text]) {
      expect(part).toContain("ada@example.test");
      expect(part).not.toContain("mail.");
    }
  });

  it("fetches nothing and shows what people typed as text", () => {
    const typed = `<img src=x onerror="alert('1')">&\r\n\r\nx`;
    const { html, subject, text } = composeMail({
      ...facts,
      purpose,
      locale: "en",
      brand: typed,
      name: typed,
      email: typed,
    });
    expect(html).not.toMatch(/<(img|script|link|iframe)|url\(|@import/i);
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;");
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain("<img src=x");
  });
});
