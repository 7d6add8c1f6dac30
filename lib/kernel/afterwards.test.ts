import { expect, it, vi } from "vitest";
import { afterwardsDone, runAfterwards } from "./afterwards";
import { log } from "./log";

it("work after an answer can be waited for, with what it begins and where it fails", async () => {
  const failed = vi.spyOn(log, "error").mockReturnValue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const add = async (name: string) => {
    await promise;
    done.push(name);
  };
  runAfterwards(async () => {
    await add("first");
    runAfterwards(() => add("begun by it"), "2");
  }, "1");
  runAfterwards(() => Promise.reject(new Error("away")), "3");
  const waited = afterwardsDone().then(() => done.push("waited"));
  resolve();
  await waited;
  expect(done).toEqual(["first", "begun by it", "waited"]);
  expect(failed.mock.calls).toEqual([[{ err: new Error("away"), requestId: "3" }, "work after an answer failed"]]);
  await afterwardsDone();
});
