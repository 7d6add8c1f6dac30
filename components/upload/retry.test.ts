import { describe, expect, it } from "vitest";
import { remedyFor, retryDelay } from "./retry";

describe("remedyFor", () => {
  it("tries again where no answer came, or one that passes", () => {
    expect(remedyFor({ code: "network", status: 0 })).toBe("retry");
    expect(remedyFor({ code: "rate_limited", status: 429 })).toBe("retry");
    expect(remedyFor({ code: "unavailable", status: 503 })).toBe("retry");
    expect(remedyFor({ code: "unexpected", status: 502 })).toBe("retry");
    expect(remedyFor({ code: "unexpected", status: 408 })).toBe("retry");
  });

  it("asks for the upload's state where its parts are refused: an address that ran out, a part that is not known", () => {
    expect(remedyFor({ code: "unexpected", status: 403 })).toBe("refresh");
    expect(remedyFor({ code: "not_found", status: 404 })).toBe("refresh");
    expect(remedyFor({ code: "validation_failed", status: 422 })).toBe("refresh");
  });

  it("stops where a person has to act", () => {
    expect(remedyFor({ code: "session_expired", status: 401 })).toBe("stop");
    expect(remedyFor({ code: "forbidden", status: 403 })).toBe("stop");
    expect(remedyFor({ code: "storage_full", status: 507 })).toBe("stop");
    expect(remedyFor({ code: "file_too_large", status: 413 })).toBe("stop");
  });
});

describe("retryDelay", () => {
  it("doubles from one second to half a minute", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 400].map((attempt) => retryDelay(attempt, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it("leaves up to half of it to chance", () => {
    expect(retryDelay(3, 0)).toBe(4_000);
    expect(retryDelay(3, 0.5)).toBe(6_000);
  });

  it("waits at least as long as the server asked for", () => {
    expect(retryDelay(0, 0, 20)).toBe(20_000);
    expect(retryDelay(5, 1, 2)).toBe(30_000);
  });
});
