import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiCallError, type ApiProblem, problemWithoutTexts } from "@/lib/client/problem";
import { Console } from "./console";
import { EXIT } from "./failure";
import { repeatCommand } from "./repeat-command";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const failing = (problem: Partial<ApiProblem>) =>
  new ApiCallError({ ...problemWithoutTexts("unexpected", 500), ...problem });
const BUSY = failing({ code: "unavailable", status: 503, title: "Too many installers wait.", retryAfter: 5 });
const LOST = Object.assign(failing({ code: "network", status: 0 }), { cause: { code: "ECONNRESET" } });

/** Calls a command of a console that fails in these ways first. */
function call(...failures: Error[]) {
  const console = new Console("https://slipway.example.com", null);
  const tried = vi.spyOn(console, "tryCommand").mockImplementation(async (_path, _input, { signal } = {}) => {
    signal?.throwIfAborted();
    const failure = failures.shift();
    if (failure) throw failure;
    return { id: "the-file" } as never;
  });
  const said: string[] = [];
  const [limit, interrupted] = [new AbortController(), new AbortController()];
  const result = repeatCommand(
    { err: { say: (text: string) => said.push(text) } as never },
    console,
    "apps/create-release-file",
    { releaseId: "r", fileId: "f", kind: "other", name: "plan.txt" },
    { limit: { ms: 60_000, signal: limit.signal }, interrupted: interrupted.signal },
  );
  result.catch(() => undefined);
  return { result, tried, said, limit, interrupted };
}

describe("repeatCommand", () => {
  it("gives the console the time to read the file", async () => {
    const { result, tried } = call();
    await expect(result).resolves.toEqual({ id: "the-file" });
    expect(tried.mock.calls[0]?.[2]?.timeoutMs).toBe(300_000);
  });

  it("calls again after a lost connection and as long as the console says when to come back, and says why it waits", async () => {
    const { result, tried, said } = call(LOST, ...Array.from({ length: 20 }, () => BUSY));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(tried).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(tried).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(20 * 30_000);
    await expect(result).resolves.toEqual({ id: "the-file" });
    expect(said).toEqual([
      "Waiting for the server: https://slipway.example.com cannot be reached: the connection was closed.",
      "Waiting for the server: Too many installers wait.",
    ]);
  });

  it("ends when the time is up, and when it is interrupted, without waiting for the next call", async () => {
    const late = call(BUSY);
    await vi.advanceTimersByTimeAsync(0);
    late.limit.abort();
    await expect(late.result).rejects.toMatchObject({
      exitCode: EXIT.unreachable,
      message: "The upload took longer than 60 seconds.",
    });
    const stopped = call(BUSY);
    await vi.advanceTimersByTimeAsync(0);
    stopped.interrupted.abort(new Error("Ctrl-C"));
    await expect(stopped.result).rejects.toThrow("Ctrl-C");
  });

  it("ends at once after a refusal, and after some failures that the server does not explain", async () => {
    const refused = call(failing({ code: "rule_violated", status: 422, title: "Refused" }));
    await expect(refused.result).rejects.toMatchObject({ exitCode: EXIT.refused, message: "Refused" });
    expect(refused.tried).toHaveBeenCalledOnce();
    const broken = call(...Array.from({ length: 20 }, () => failing({ status: 500 })));
    await vi.advanceTimersByTimeAsync(20 * 30_000);
    await expect(broken.result).rejects.toMatchObject({ exitCode: EXIT.refused });
    expect(broken.tried).toHaveBeenCalledTimes(9);
  });
});
