import { expect, it } from "vitest";
import { Batches } from "./batches";

it("writes items that come during a write together, and never two batches at once", async () => {
  const written: number[][] = [];
  const ends: (() => void)[] = [];
  const batches = new Batches<number>((items) => {
    written.push([...items]);
    return new Promise((end) => ends.push(end));
  });
  const added = [batches.add(0)];
  await Promise.resolve();
  for (let item = 1; item <= 100; item++) added.push(batches.add(item));
  expect(written).toEqual([[0]]);
  ends[0]?.();
  await added[0];
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await Promise.all(added);
  expect(written).toEqual([[0], Array.from({ length: 100 }, (_, index) => index + 1)]);
});

it("reports a failure to the items of its batch and goes on", async () => {
  let fails = true;
  const batches = new Batches<string>(async () => {
    if (fails) throw new Error("refused");
  });
  await expect(Promise.all([batches.add("a"), batches.add("b")])).rejects.toThrow("refused");
  fails = false;
  await batches.add("c");
});
