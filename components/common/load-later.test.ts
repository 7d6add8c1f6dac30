import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadLater } from "./load-later";

let page: EventTarget;

beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", { requestIdleCallback: true });
  vi.stubGlobal("requestIdleCallback", (work: () => void) => work());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("tries to load code again with each touch of the page until it is there", async () => {
  let isOffline = true;
  const load = vi.fn(async () => {
    if (isOffline) throw new Error("Failed to load chunk");
    return "code";
  });
  const done = vi.fn();
  void loadLater(load).then(done);
  const afterTouch = (read: () => unknown) =>
    expect.poll(() => {
      page.dispatchEvent(new Event("pointerdown"));
      return read();
    });
  await afterTouch(() => load.mock.calls.length).toBeGreaterThan(3);
  expect(done).not.toHaveBeenCalled();
  isOffline = false;
  await afterTouch(() => done.mock.calls).toEqual([["code"]]);
});
