import { describe, expect, it } from "vitest";
import { ApiCallError } from "@/lib/client/problem";
import { readPartAnswer } from "./part-answer";

const answer = (status: number, body = "", headers: Record<string, string> = {}) => ({
  status,
  body,
  headers: new Headers(headers),
});

function problemOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof ApiCallError) return error.problem;
  }
  throw new Error("the answer was taken");
}

describe("readPartAnswer", () => {
  it("takes the entity tag from the console's document, and from the header of the store", () => {
    expect(readPartAnswer(answer(200, '{"etag":"a"}', { etag: "other" }), "console")).toBe("a");
    expect(readPartAnswer(answer(200, "", { etag: '"b"' }), "store")).toBe('"b"');
    expect(readPartAnswer(answer(200), "store")).toBeNull();
  });

  it("passes the console's problem on, with when to come back", () => {
    const document = JSON.stringify({ code: "unavailable", title: "Unavailable", requestId: "r" });
    const problem = problemOf(() => readPartAnswer(answer(503, document, { "retry-after": "5" }), "console"));
    expect(problem).toMatchObject({ status: 503, code: "unavailable", title: "Unavailable", retryAfter: 5 });
  });

  it("tells the answer of a proxy from that of the console and of the store", () => {
    const gateway = problemOf(() => readPartAnswer(answer(502, "<h1>Bad Gateway</h1>"), "console"));
    expect(gateway).toMatchObject({ status: 502, code: "network", retryAfter: null });
    for (const from of ["console", "store"] as const) {
      const tooLarge = problemOf(() => readPartAnswer(answer(413, "<h1>Request Entity Too Large</h1>"), from));
      expect(tooLarge).toMatchObject({ status: 413, code: "proxy" });
    }
    const fromStore = problemOf(() => readPartAnswer(answer(403, '{"code":"forbidden"}'), "store"));
    expect(fromStore).toMatchObject({ status: 403, code: "unexpected" });
  });
});
