import { afterEach, expect, it, vi } from "vitest";
import { readMetrics } from "./metrics";

const TOKEN = "a-token-of-at-least-thirty-two-characters";

const settings = vi.hoisted((): { METRICS_TOKEN?: string } => ({}));
vi.mock("@/lib/kernel/env", () => ({ env: settings }));

const ask = (authorization: string | null) =>
  readMetrics(
    new Request("http://localhost/api/metrics", { headers: authorization === null ? {} : { authorization } }),
  );

afterEach(() => {
  settings.METRICS_TOKEN = undefined;
});

it("metrics are read with METRICS_TOKEN as bearer, and with nothing else", async () => {
  settings.METRICS_TOKEN = TOKEN;
  expect(await ask(`Bearer ${TOKEN}`)).toMatchObject({ status: 200, body: expect.stringContaining("# HELP") });
  for (const header of [null, "", "Bearer ", TOKEN, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    await expect(ask(header)).rejects.toMatchObject({ code: "not_authenticated" });
  }
});

it("metrics are read by nobody while METRICS_TOKEN is not set", async () => {
  for (const header of [null, "", "Bearer ", "Bearer undefined"]) {
    await expect(ask(header)).rejects.toMatchObject({ code: "not_authenticated" });
  }
});
