import { expect, test } from "vitest";
import { growthOf, type Sample } from "./soak";

const steady: Sample = { memory: 400e6, files: 30, sockets: 40, threads: 15, connections: 12 };
const samples = (change: (index: number) => Partial<Sample>) =>
  Array.from({ length: 100 }, (_, index) => ({ ...steady, ...change(index) }));

test("steady use is no problem, and neither is a start that grows", () => {
  expect(growthOf(samples(() => ({}))).problems).toEqual([]);
  expect(growthOf(samples((index) => (index < 25 ? { memory: index * 1e6 } : {}))).problems).toEqual([]);
});

test.each([
  ["memory", (index: number) => ({ memory: 400e6 + index * 2e6 })],
  ["files", (index: number) => ({ files: 30 + index })],
  ["sockets", (index: number) => ({ sockets: 40 + index })],
  ["threads", (index: number) => ({ threads: 15 + index })],
  ["connections", (index: number) => ({ connections: 12 + index })],
] as const)("a leak of %s is reported", (what, change) => {
  expect(growthOf(samples(change)).problems).toEqual([expect.stringMatching(`^${what} grew from \\d+ to \\d+$`)]);
});
