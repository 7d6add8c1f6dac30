import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { composeMail, type ExpiryFacts, type LinkFacts, NOTICE_PURPOSES, type NoticeFacts } from "./compose";

process.env.DATABASE_URL = "postgresql://localhost/unused";
process.env.APP_URL = "https://slipway.example.com";

const url = "https://slipway.example.com/reset-password?token=abc&x=1";

const MAILS: (LinkFacts | NoticeFacts)[] = [
  ...(["recovery", "invitation"] as const).map((purpose) => ({ purpose, url, minutes: 7 * 24 * 60 })),
  ...NOTICE_PURPOSES.map((purpose) => ({
    purpose,
    at: new Date("2026-11-21T16:05:09Z"),
    ip: "2001:db8::17",
    codesLeft: 9,
    hasPassword: true,
  })),
];

const to = { brand: "Acme", name: "Ada", email: "ada@example.test" };

/** Returns the URLs of the links in a mail's HTML part. */
const linksIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

describe.each(MAILS)("the mail for $purpose", (facts) => {
  it.each(LOCALES)("has the same content in both of its parts, in %s", (locale) => {
    const { subject, html, text } = composeMail({ ...to, ...facts, locale });
    const link = "url" in facts ? url : "https://slipway.example.com/generate-password-recovery";
    expect(subject).toContain("Acme");
    expect(html).toContain(`<html lang="${locale}">`);
    expect(text).toContain(link);
    expect(linksIn(html)).toEqual(Array(2).fill(link.replace("&", "&amp;")));
    for (const part of [html, text]) {
      expect(part).toContain("ada@example.test");
      // A missing text would be rendered as its key.
      expect(part).not.toMatch(/\bmail\./);
    }
  });

  it("loads no external resources and escapes what users typed", () => {
    const typed = `<img src=x onerror="alert('1')">&\r\n\r\nx`;
    const { html, subject, text } = composeMail({
      ...facts,
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

describe.each(NOTICE_PURPOSES)("the notice of %s", (purpose) => {
  const facts = MAILS.find((mail): mail is NoticeFacts => mail.purpose === purpose) as NoticeFacts;

  it.each([
    ["es", /Cuándo: 21 de noviembre de 2026\D+16:05:09 UTC/, "Desde la dirección IP: 2001:db8::17"],
    ["en", /When: November 21, 2026\D+4:05:09\sPM UTC/, "From the IP address: 2001:db8::17"],
    ["de", /Wann: 21\. November 2026\D+16:05:09 UTC/, "Von der IP-Adresse: 2001:db8::17"],
    ["fr", /Quand\u00a0: 21 novembre 2026\D+16:05:09 UTC/, "Depuis l’adresse IP\u00a0: 2001:db8::17"],
    ["it", /Quando: 21 novembre 2026\D+16:05:09 UTC/, "Dall’indirizzo IP: 2001:db8::17"],
    ["pt", /Quando: 21 de novembro de 2026\D+16:05:09 UTC/, "Do endereço IP: 2001:db8::17"],
  ] as const)("contains the time and the IP address, in %s", (locale, time, address) => {
    const { html, text } = composeMail({ ...to, ...facts, locale });
    for (const part of [html, text]) {
      expect(part).toMatch(time);
      expect(part).toContain(address);
    }
  });

  it("omits the IP address if it is not known", () => {
    expect(composeMail({ ...to, ...facts, ip: null, locale: "en" }).text).not.toContain("address:");
  });

  it("links to the profile if the user has no password", () => {
    const { html, text } = composeMail({ ...to, ...facts, hasPassword: false, locale: "en" });
    expect(linksIn(html)).toEqual(Array(2).fill("https://slipway.example.com/profile"));
    expect(text).toContain("tell an administrator immediately");
    expect(text).not.toContain("request a new password");
  });
});

it.each([
  [0, "No recovery codes are left"],
  [1, "Only one recovery code is left"],
  [9, "9 recovery codes are left"],
])("the notice of a used recovery code says that %i are left", (codesLeft, words) => {
  const facts = MAILS.find(({ purpose }) => purpose === "recovery-code-used") as NoticeFacts;
  expect(composeMail({ ...to, ...facts, codesLeft, locale: "en" }).text).toContain(words);
});

describe("the mail about what ends", () => {
  const item = {
    kind: "profile" as const,
    name: "Push\r\nx",
    place: "Acme · Production · iOS 1.0 (1)",
    endsAt: "2026-11-29T16:05:09Z",
    daysLeft: 7,
  };
  const facts: ExpiryFacts = { purpose: "expiring", count: 1, items: [item] };

  it.each(LOCALES)("names each thing with its kind, place and date in both parts, in %s", (locale) => {
    const license = { ...item, kind: "license" as const, name: "Acme license", place: "" };
    const { subject, html, text } = composeMail({ ...to, ...facts, count: 2, items: [item, license], locale });
    expect(subject).toMatch(/^Acme: .*2.*7/);
    for (const part of [html, text]) {
      expect(part).toContain("Push x (Acme · Production · iOS 1.0 (1))");
      expect(part).toMatch(/Acme license, .*2026/);
      expect(part).toContain("https://slipway.example.com/expiry");
      expect(part).toContain("https://slipway.example.com/profile");
      expect(part).not.toMatch(/\bmail\./);
    }
  });

  it.each([
    [0, 1, "Acme: “Push x” expires today"],
    [1, 1, "Acme: “Push x” expires tomorrow"],
    [30, 1, "Acme: “Push x” expires in 30 days"],
    [0, 3, "Acme: 3 expiration dates, the first today"],
    [6, 3, "Acme: 3 expiration dates, the first in 6 days"],
  ])("has a subject that says when: %i days, %i of them", (daysLeft, count, subject) => {
    const mail = { ...to, ...facts, count, items: [{ ...item, daysLeft }], locale: "en" as const };
    expect(composeMail(mail).subject).toBe(subject);
  });

  it("says how many it does not name", () => {
    expect(composeMail({ ...to, ...facts, count: 1_001, locale: "en" }).text).toContain("and 1,000 more");
  });
});

it.each(LOCALES)("the mail about a changed audit log names the first wrong record, in %s", (locale) => {
  const facts = { purpose: "audit-broken" as const, firstRecord: "1184", at: "2026-11-29T16:05:09Z" };
  const { subject, html, text } = composeMail({ ...to, ...facts, locale });
  expect(subject).toContain("Acme");
  for (const part of [html, text]) {
    expect(part).toMatch(/1\D?184/);
    expect(part).toContain("2026");
    expect(part).toContain("https://slipway.example.com/admin-logs");
    expect(part).not.toMatch(/\bmail\./);
  }
});
