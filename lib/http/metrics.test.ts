import { afterEach, expect, it, vi } from "vitest";
import { mayReadMetrics } from "./metrics";

const TOKEN = "a-token-of-at-least-thirty-two-characters";

const settings = vi.hoisted((): { METRICS_TOKEN?: string } => ({}));
vi.mock("@/lib/kernel/env", () => ({ env: settings }));

afterEach(() => {
  settings.METRICS_TOKEN = undefined;
});

it("metrics are read with METRICS_TOKEN as bearer, and with nothing else", () => {
  settings.METRICS_TOKEN = TOKEN;
  expect(mayReadMetrics(`Bearer ${TOKEN}`)).toBe(true);
  for (const header of [null, "", "Bearer ", TOKEN, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    expect(mayReadMetrics(header)).toBe(false);
  }
});

it("metrics are read by nobody while METRICS_TOKEN is not set", () => {
  for (const header of [null, "", "Bearer ", "Bearer undefined"]) expect(mayReadMetrics(header)).toBe(false);
});
