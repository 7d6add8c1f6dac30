import { describe, expect, it } from "vitest";
import { remedyFor, retryDelay } from "./retry";

describe("remedyFor", () => {
  it("retries without a response and after a temporary failure", () => {
    expect(remedyFor({ code: "network", status: 0 })).toBe("retry");
    expect(remedyFor({ code: "rate_limited", status: 429 })).toBe("retry");
    expect(remedyFor({ code: "unavailable", status: 503 })).toBe("retry");
    expect(remedyFor({ code: "unexpected", status: 502 })).toBe("retry");
    expect(remedyFor({ code: "unexpected", status: 408 })).toBe("retry");
  });

  it("fetches the upload's state if a part is rejected: an expired URL, an unknown part", () => {
    expect(remedyFor({ code: "unexpected", status: 403 })).toBe("refresh");
    expect(remedyFor({ code: "not_found", status: 404 })).toBe("refresh");
    expect(remedyFor({ code: "validation_failed", status: 422 })).toBe("refresh");
  });

  it("stops if the user has to act", () => {
    expect(remedyFor({ code: "session_expired", status: 401 })).toBe("stop");
    expect(remedyFor({ code: "forbidden", status: 403 })).toBe("stop");
    expect(remedyFor({ code: "storage_full", status: 507 })).toBe("stop");
    expect(remedyFor({ code: "too_many_uploads", status: 429 })).toBe("stop");
    expect(remedyFor({ code: "file_too_large", status: 413 })).toBe("stop");
    expect(remedyFor({ code: "proxy", status: 413 })).toBe("stop");
  });
});

describe("retryDelay", () => {
  it("doubles from one second to half a minute", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 400].map((attempt) => retryDelay(attempt, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it("randomizes up to half of the delay", () => {
    expect(retryDelay(3, 0)).toBe(4_000);
    expect(retryDelay(3, 0.5)).toBe(6_000);
  });

  it("waits at least as long as Retry-After", () => {
    expect(retryDelay(0, 0, 20)).toBe(20_000);
    expect(retryDelay(5, 1, 2)).toBe(30_000);
  });
});
