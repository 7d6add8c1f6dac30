import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { afterResponsive, doneWithin, TimeoutError, withTimeout } from "./timeout";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("returns the result of the work, throws its error, and leaves no timer", async () => {
  expect(await withTimeout(Promise.resolve("done"), 1_000)).toBe("done");
  await expect(withTimeout(Promise.reject(new Error("failed")), 1_000)).rejects.toThrow("failed");
  expect(await doneWithin(Promise.resolve(), 1_000)).toBe(true);
  await expect(doneWithin(Promise.reject(new Error("failed")), 1_000)).rejects.toThrow("failed");
  expect(vi.getTimerCount()).toBe(0);
});

it("stops waiting at the limit, while the work continues", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const waited = withTimeout(promise, 1_000).catch((error: unknown) => error);
  const inTime = doneWithin(promise, 1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await waited).toBeInstanceOf(TimeoutError);
  expect(await inTime).toBe(false);
  resolve("late");
  expect(await promise).toBe("late");
});

it("calls back after the time in which the process can respond, unless it is canceled", async () => {
  const [called, canceled] = [vi.fn(), vi.fn()];
  afterResponsive(1_000, called);
  const cancel = afterResponsive(1_000, canceled);
  await vi.advanceTimersByTimeAsync(900);
  expect(called).not.toHaveBeenCalled();
  cancel();
  await vi.advanceTimersByTimeAsync(200);
  expect([called.mock.calls.length, canceled.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0, 0]);
});
