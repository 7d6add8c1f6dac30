import fc from "fast-check";
import { expect, it } from "vitest";
import { boundsOf, type GivenAnswer, progressOf } from "./rules";

/** A bisection of builds of which one brought the fault, some cannot be tried, and some are deleted at some step. */
const bisections = fc
  .record({
    builds: fc.integer({ min: 2, max: 400 }),
    fault: fc.nat(),
    skips: fc.array(fc.nat(), { maxLength: 40 }),
    deletions: fc.array(fc.record({ place: fc.nat(), step: fc.nat({ max: 12 }) }), { maxLength: 60 }),
  })
  .map(({ builds, fault, skips, deletions }) => ({
    builds,
    firstBad: 1 + (fault % (builds - 1)),
    untestable: new Set(skips.map((place) => place % builds)),
    deletedAt: new Map(deletions.map(({ place, step }) => [place % builds, step] as const)),
  }));

it("ends with the first bad build of those that can be tried, after at most ⌈log2 n⌉ answers and one for each skip", () => {
  fc.assert(
    fc.property(bisections, ({ builds, firstBad, untestable, deletedAt }) => {
      const answers: GivenAnswer[] = [
        { place: 0, answer: "good" },
        { place: builds - 1, answer: "bad" },
      ];
      let [steps, skips] = [0, 0];
      const exists = (place: number) => (deletedAt.get(place) ?? Number.POSITIVE_INFINITY) > steps;
      let progress = progressOf(answers, exists);
      while (progress.next !== null) {
        const { next, stepsLeft } = progress;
        expect(exists(next)).toBe(true);
        const answer = untestable.has(next) ? "skip" : next < firstBad ? "good" : "bad";
        answers.push({ place: next, answer });
        steps += 1;
        if (answer === "skip") skips += 1;
        progress = progressOf(answers, exists);
        if (answer !== "skip") expect(progress.stepsLeft).toBeLessThan(stepsLeft);
      }
      expect(steps).toBeLessThanOrEqual(Math.ceil(Math.log2(builds - 1)) + skips);
      const { good, bad, skipped, deleted, untried, stepsLeft } = progress;
      // The fault came between the two, and whatever is between them was skipped or deleted.
      expect(good).toBeLessThan(firstBad);
      expect(bad).toBeGreaterThanOrEqual(firstBad);
      expect([untried, stepsLeft, good + skipped.length + deleted + 1]).toEqual([0, 0, bad]);
      expect(skipped.every((place) => untestable.has(place))).toBe(true);
      if (untestable.size === 0 && deletedAt.size === 0) expect(bad).toBe(firstBad);
    }),
    { numRuns: 500 },
  );
});

it("finds any of 100 builds with at most 7 answers", () => {
  const counts = Array.from({ length: 99 }, (_, index) => {
    const firstBad = index + 1;
    const answers: GivenAnswer[] = [
      { place: 0, answer: "good" },
      { place: 99, answer: "bad" },
    ];
    for (;;) {
      const { next } = progressOf(answers, () => true);
      if (next === null) break;
      answers.push({ place: next, answer: next < firstBad ? "good" : "bad" });
    }
    expect(boundsOf(answers)).toEqual({ good: firstBad - 1, bad: firstBad });
    return answers.length - 2;
  });
  expect(Math.max(...counts)).toBe(7);
});

it("leaves the whole range if every build was skipped", () => {
  const answers: GivenAnswer[] = [
    { place: 0, answer: "good" },
    { place: 3, answer: "bad" },
    { place: 2, answer: "skip" },
    { place: 1, answer: "skip" },
  ];
  expect(progressOf(answers, () => true)).toMatchObject({ next: null, skipped: [1, 2], untried: 0, stepsLeft: 0 });
});
