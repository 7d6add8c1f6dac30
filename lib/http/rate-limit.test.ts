import { expect, it, vi } from "vitest";
import { rateLimiter } from "./rate-limit";

process.env.DATABASE_URL = "postgresql://localhost/unused";

it("a limiter sets no timer of its own", () => {
  vi.useFakeTimers();
  rateLimiter("one", { points: 1, seconds: 1 });
  rateLimiter("another", { points: 1, seconds: 1 });
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
