import { expect, it, vi } from "vitest";
import { processSingleton } from "./process-singleton";

it("makes a value at the first use and once for all copies of the module", async () => {
  const make = vi.fn(() => ({}));
  const first = processSingleton("test-copies", make);
  expect(make).not.toHaveBeenCalled();
  vi.resetModules();
  const copy = await import("./process-singleton");
  expect(copy.processSingleton).not.toBe(processSingleton);
  expect(copy.processSingleton("test-copies", make).get()).toBe(first.get());
  expect(make).toHaveBeenCalledTimes(1);
});

it("makes another value after it was cleared", () => {
  let made = 0;
  const counter = processSingleton("test-clear", () => ({ made: ++made }));
  expect(counter.get()).toEqual({ made: 1 });
  expect(counter.clear()).toEqual({ made: 1 });
  expect(counter.clear()).toBeUndefined();
  expect(counter.get()).toEqual({ made: 2 });
  counter.set({ made: 0 });
  expect(counter.get()).toEqual({ made: 0 });
});
