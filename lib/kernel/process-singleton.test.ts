import { expect, it, vi } from "vitest";
import { processSingleton } from "./process-singleton";

it("creates a value on first use, once for all copies of the module", async () => {
  const create = vi.fn(() => ({}));
  const first = processSingleton("test-copies", create);
  expect(create).not.toHaveBeenCalled();
  vi.resetModules();
  const copy = await import("./process-singleton");
  expect(copy.processSingleton).not.toBe(processSingleton);
  expect(copy.processSingleton("test-copies", create).get()).toBe(first.get());
  expect(create).toHaveBeenCalledTimes(1);
});

it("creates another value after it was cleared", () => {
  let created = 0;
  const counter = processSingleton("test-clear", () => ({ count: ++created }));
  expect(counter.get()).toEqual({ count: 1 });
  expect(counter.clear()).toEqual({ count: 1 });
  expect(counter.clear()).toBeUndefined();
  expect(counter.get()).toEqual({ count: 2 });
  counter.set({ count: 0 });
  expect(counter.get()).toEqual({ count: 0 });
});
