import { describe, expect, it } from "vitest";
import { type Envelope, scrubEnvelope, scrubText, scrubValue } from "./scrub";

describe("a text", () => {
  it.each([
    ["no session for ada.lovelace+x@mail.example.com", "no session for [e-mail]"],
    ["connect ECONNREFUSED 192.0.2.7:5432", "connect ECONNREFUSED [address]:5432"],
    ["connect to 2001:db8::8a2e:370:7334 failed", "connect to [address] failed"],
    ["GET https://slipway.example/reset-password?token=abc#x 404", "GET https://slipway.example/reset-password 404"],
    ["/releases?id=1&search=ada", "/releases"],
    ["Authorization: Bearer slw_abc", "Authorization: Bearer [token]"],
    ["eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[token]"],
    ["token k3J9xQ2mZ8vB7nR4tY6wP1sD is wrong", "token [token] is wrong"],
  ])("loses what it must not tell: %s", (text, scrubbed) => {
    expect(scrubText(text)).toBe(scrubbed);
  });

  it.each([
    "Cannot read properties of undefined (reading 'name')",
    "GET /api/apps/get-app 500",
    "01a2032c-ac6f-75ea-8520-b0ab1bbd6cec",
    "at handleRequest (/_next/static/chunks/app.js:10:20)",
    "12:30:45",
  ])("keeps what helps: %s", (text) => {
    expect(scrubText(text)).toBe(text);
  });
});

it("a long text is scrubbed in a time that grows with its length", () => {
  const long = `${"a/".repeat(500_000)} ${"x".repeat(500_000)} ${"b.".repeat(300_000)}ada@example.com`;
  expect(scrubText(long)).not.toContain("example.com");
});

describe("a value", () => {
  it("loses fields with the name of a secret, at any depth, and keeps the others", () => {
    const event = {
      event_id: "0123456789abcdef0123456789abcdef",
      exception: { values: [{ type: "Error", value: "mail to ada@example.com failed" }] },
      request: { url: "https://a.example/b?c=d", cookies: { session: "x" }, headers: { Authorization: "y" } },
      user: { id: "1" },
      extra: { clientSecret: "s", password: "p", newToken: "t", count: 3 },
    };
    expect(scrubValue(event)).toEqual({
      event_id: "0123456789abcdef0123456789abcdef",
      exception: { values: [{ type: "Error", value: "mail to [e-mail] failed" }] },
      request: { url: "https://a.example/b", cookies: "[removed]", headers: { Authorization: "[removed]" } },
      user: "[removed]",
      extra: { clientSecret: "[removed]", password: "[removed]", newToken: "[removed]", count: 3 },
    });
  });
});

describe("an envelope", () => {
  it("is sent with its known items alone, each scrubbed, and with the length that it has then", () => {
    const recording = `{"segment_id":0}\n[{"type":4,"data":{"href":"https://a.example/?token=x","text":"ada@example.com"}}]`;
    const [, items] = scrubEnvelope([
      { event_id: "1" },
      [
        [{ type: "event" }, { message: "ada@example.com" }],
        [{ type: "replay_recording", length: recording.length }, recording],
        [{ type: "replay_recording", length: 3 }, new Uint8Array([1, 2, 3])],
        [{ type: "attachment" }, "everything"],
        [{ type: "log" }, { items: [] }],
      ],
    ] as Envelope);
    expect(items.map(([{ type }]) => type)).toEqual(["event", "replay_recording", "replay_recording"]);
    const [[, event], [header, sent], [, compressed]] = items as [
      never,
      [{ length: number }, string],
      never,
    ] as never as [[object, { message: string }], [{ length: number }, string], [object, string]];
    expect(event.message).toBe("[e-mail]");
    expect(sent).not.toMatch(/ada|token=/);
    expect(JSON.parse(sent.split("\n")[1] as string)[0].data.text).toBe("[e-mail]");
    expect(header.length).toBe(Buffer.byteLength(sent));
    expect(compressed).toBe("");
  });
});
