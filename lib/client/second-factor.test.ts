import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiCallError, type ApiProblem, command, query, SECOND_FACTOR_EVENT } from "./client";
import { onSecondFactorNeeded } from "./second-factor";

const ENTRY = { firstNames: "Ada", lastNames: "Lovelace" };

/** The calls that arrived at the server, by path and body. */
let calls: { path: string; body: unknown }[];
/** The events that the session guard would handle. */
let events: string[];
/** Whether the server has a recent second factor of the user. */
let isConfirmed: boolean;
let refusal: string;
let stopAsking = () => {};

function problem(code: string): Response {
  return Response.json({ code, title: "Title", detail: "Detail" }, { status: 403 });
}

beforeEach(() => {
  calls = [];
  events = [];
  isConfirmed = false;
  refusal = "two_factor_required";
  vi.stubGlobal("window", { dispatchEvent: (event: Event) => events.push(event.type) });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    calls.push({ path: url.split("?")[0] as string, body: init.body });
    return isConfirmed ? Response.json({ done: true }) : problem(refusal);
  });
});

afterEach(() => {
  stopAsking();
  vi.unstubAllGlobals();
});

/** Registers what answers the question, and counts how often it is asked. */
function answerWith(answer: () => Promise<boolean | null>): { asked: number } {
  const count = { asked: 0 };
  stopAsking = onSecondFactorNeeded(() => {
    count.asked += 1;
    return answer();
  });
  return count;
}

const confirm = async () => {
  isConfirmed = true;
  return true;
};

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "served",
    (error) => (error as ApiCallError).problem.code,
  );

describe("a call that needs the second factor", () => {
  it("is sent again, unchanged, once the user has confirmed it", async () => {
    const count = answerWith(confirm);
    expect(await command("auth/update-user-profile", ENTRY)).toEqual({ done: true });
    expect(count.asked).toBe(1);
    expect(calls).toEqual(Array(2).fill({ path: "/api/auth/update-user-profile", body: JSON.stringify(ENTRY) }));
    expect(events).toEqual([]);
  });

  it("asks once for all calls that wait for it", async () => {
    const count = answerWith(confirm);
    const both = [query("auth/get-two-factor", {}), command("auth/update-user-profile", ENTRY)];
    expect(await Promise.all(both.map(codeOf))).toEqual(["served", "served"]);
    expect(count.asked).toBe(1);
  });

  it("asks again the next time", async () => {
    const count = answerWith(async () => false);
    expect(await codeOf(query("auth/get-two-factor", {}))).toBe("not_confirmed");
    expect(await codeOf(query("auth/get-two-factor", {}))).toBe("not_confirmed");
    expect(count.asked).toBe(2);
  });

  it("ends as not confirmed when the page that asks is left, and the next page asks again", async () => {
    const first = answerWith(() => new Promise<never>(() => {}));
    const left = codeOf(query("auth/get-two-factor", {}));
    await expect.poll(() => first.asked).toBe(1);
    const stopFirst = stopAsking;
    const next = answerWith(confirm);
    stopFirst();
    expect(await left).toBe("not_confirmed");
    expect(await codeOf(query("auth/get-two-factor", {}))).toBe("served");
    expect(next.asked).toBe(1);
  });

  it("ends as not confirmed when the user closes the dialog, and is not sent again", async () => {
    answerWith(async () => false);
    expect(await codeOf(command("auth/update-user-profile", ENTRY))).toBe("not_confirmed");
    expect(calls).toHaveLength(1);
    expect(events).toEqual([]);
  });

  it("asks a user without a second factor too", async () => {
    refusal = "two_factor_enrollment_required";
    const count = answerWith(async () => false);
    expect(await codeOf(query("auth/get-two-factor", {}))).toBe("not_confirmed");
    expect(count.asked).toBe(1);
  });

  it("is left to the session guard where the session has not passed it, and where nothing can ask", async () => {
    answerWith(async () => null);
    expect(await codeOf(query("auth/get-two-factor", {}))).toBe("two_factor_required");
    stopAsking();
    expect(await codeOf(query("auth/get-two-factor", {}))).toBe("two_factor_required");
    expect(events).toEqual([SECOND_FACTOR_EVENT, SECOND_FACTOR_EVENT]);
  });

  it("fails as the question fails", async () => {
    answerWith(async () => {
      throw new ApiCallError(problemOf("rate_limited"));
    });
    expect(await codeOf(query("auth/get-two-factor", {}))).toBe("rate_limited");
  });
});

it("the calls that confirm the second factor do not ask for it", async () => {
  const count = answerWith(confirm);
  expect(await codeOf(query("auth/get-second-factor-options", {}))).toBe("two_factor_required");
  expect(await codeOf(command("auth/confirm-second-factor", { code: "123456" }))).toBe("two_factor_required");
  expect(count.asked).toBe(0);
});

it("another refusal does not ask for it", async () => {
  refusal = "forbidden";
  const count = answerWith(confirm);
  expect(await codeOf(query("auth/get-two-factor", {}))).toBe("forbidden");
  expect([count.asked, calls.length]).toEqual([0, 1]);
});

function problemOf(code: string): ApiProblem {
  return { code, status: 429, title: "Title", detail: "Detail", errors: [], requestId: null, retryAfter: null };
}
