import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiCallError, type ApiProblem, problemWithoutTexts } from "@/lib/client/problem";
import { Console } from "./console";
import { EXIT } from "./failure";
import { patienceFor, repeatCommand } from "./repeat-command";

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

/** Makes a call, with patience, that fails in these ways first. */
function patientCall({ hasAnswered = false, isGiven = false }, ...failures: Error[]) {
  const console = new Console("https://slipway.example.com", null);
  console.hasAnswered = hasAnswered;
  const said: string[] = [];
  const limit = new AbortController();
  const context = { err: { say: (text: string) => said.push(text) } as never };
  let calls = 0;
  const patience = patienceFor(context, console, { limit: { ms: 4_000, signal: limit.signal }, isGiven });
  const result = patience(async (signal) => {
    calls += 1;
    signal.throwIfAborted();
    const failure = failures.shift();
    if (failure) throw failure;
    return "answer";
  });
  result.catch(() => undefined);
  return { result, said, limit, calls: () => calls };
}

describe("patienceFor", () => {
  const refused = () => Object.assign(failing({ code: "network", status: 0 }), { cause: { code: "ECONNREFUSED" } });
  const unknown = () => Object.assign(failing({ code: "network", status: 0 }), { cause: { code: "ENOTFOUND" } });

  it("waits for a console that has answered before, and for one that says when to come back", async () => {
    for (const failure of [refused, unknown, () => BUSY]) {
      const { result, said } = patientCall({ hasAnswered: true }, failure(), failure());
      await vi.advanceTimersByTimeAsync(60_000);
      await expect(result).resolves.toBe("answer");
      expect(said).toHaveLength(1);
    }
  });

  it("does not wait for a console that has never answered, unless the caller says how long", async () => {
    const { result, said } = patientCall({}, refused());
    await expect(result).rejects.toMatchObject({ problem: { code: "network" } });
    expect(said).toEqual([]);
    const asked = patientCall({ isGiven: true }, refused(), refused());
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(asked.result).resolves.toBe("answer");
  });

  it("never waits for an address that the DNS does not know, nor after a refusal", async () => {
    await expect(patientCall({ isGiven: true }, unknown()).result).rejects.toThrow();
    const denied = failing({ code: "forbidden", status: 403 });
    await expect(patientCall({ hasAnswered: true }, denied).result).rejects.toBe(denied);
  });

  it("ends with the last failure when the time is up", async () => {
    const last = refused();
    const { result, limit } = patientCall({ isGiven: true }, last);
    await vi.advanceTimersByTimeAsync(0);
    limit.abort();
    await expect(result).rejects.toBe(last);
  });
});

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
