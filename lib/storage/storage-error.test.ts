import { expect, it, vi } from "vitest";
import { StorageError } from "./driver";

it("a StorageError is known as one in every bundle, and nothing else is", async () => {
  vi.resetModules();
  const other = await import("./driver");
  expect(other.StorageError).not.toBe(StorageError);
  expect(new other.StorageError("full")).toBeInstanceOf(StorageError);
  expect(new StorageError("full")).toBeInstanceOf(other.StorageError);
  for (const value of [new Error("full"), null, undefined, "full", { failure: "full" }]) {
    expect(value instanceof StorageError).toBe(false);
  }
});
