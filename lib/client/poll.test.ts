import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { poll } from "./poll";
import { ApiCallError, problemWithoutTexts } from "./problem";

const PERIOD_MS = 5_000;

let page: { visibilityState: DocumentVisibilityState };
let browser: { onLine: boolean };
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  page = { visibilityState: "visible" };
  browser = { onLine: true };
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", browser);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const periods = (count: number) => vi.advanceTimersByTimeAsync(count * PERIOD_MS);

describe("polling", () => {
  it("asks once a period until it is stopped, which ends the last question", async () => {
    const ask = vi.fn(async (_signal: AbortSignal) => {});
    stop = poll(ask, PERIOD_MS);
    await periods(2);
    expect(ask).toHaveBeenCalledTimes(2);
    stop();
    await periods(2);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(ask.mock.lastCall?.[0].aborted).toBe(true);
  });

  it("asks nothing while the page is hidden or the browser is offline", async () => {
    const ask = vi.fn(async () => {});
    stop = poll(ask, PERIOD_MS);
    page.visibilityState = "hidden";
    await periods(2);
    page.visibilityState = "visible";
    browser.onLine = false;
    await periods(2);
    expect(ask).not.toHaveBeenCalled();
    browser.onLine = true;
    await periods(1);
    expect(ask).toHaveBeenCalledOnce();
  });

  it("asks again after a question that was not answered", async () => {
    const ask = vi.fn(async () => {
      throw new ApiCallError(problemWithoutTexts("network", 0));
    });
    stop = poll(ask, PERIOD_MS);
    await periods(3);
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it("does not ask while an answer is still awaited", async () => {
    const answer = Promise.withResolvers<void>();
    const ask = vi.fn(() => answer.promise);
    stop = poll(ask, PERIOD_MS);
    await periods(3);
    expect(ask).toHaveBeenCalledOnce();
    answer.resolve();
    await periods(1);
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
