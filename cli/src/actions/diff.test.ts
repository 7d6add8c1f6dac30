import { expect, it, vi } from "vitest";
import { Console } from "../lib/console";
import { readDiff } from "./diff";

it("gives the console the time to read the files of both releases", async () => {
  const console = new Console("https://slipway.example.com", null);
  const request = vi.spyOn(console, "request").mockResolvedValue(Response.json({}));
  await readDiff(console, "from", "to");
  expect(request.mock.calls[0]?.[1]?.timeoutMs).toBe(300_000);
});
