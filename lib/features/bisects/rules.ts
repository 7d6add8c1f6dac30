/** What somebody found when they tried a build; `skip` if they could not tell. */
export const BISECT_ANSWERS = ["good", "bad", "skip"] as const;
export type BisectAnswer = (typeof BISECT_ANSWERS)[number];

/** An answer about one build of a bisection. */
export interface GivenAnswer {
  /** The place of the build among those of the bisection, from 0 on. */
  place: number;
  answer: BisectAnswer;
}

/** How far a bisection is. Places count the builds of the bisection in the order of publication. */
export interface BisectProgress {
  /** The place of the newest build that is known to be good. */
  good: number;
  /** The place of the oldest build that is known to be bad. */
  bad: number;
  /** The place of the build to try next; null if there is none. */
  next: number | null;
  /** How many builds between the good and the bad one can still be tried. */
  untried: number;
  /** The places of the skipped builds between the good and the bad one, in order. */
  skipped: number[];
  /** How many builds between the good and the bad one were deleted before anybody tried them. */
  deleted: number;
  /** How many builds have to be tried at most, unless some are skipped. */
  stepsLeft: number;
}

/** The place of the newest good and of the oldest bad build of some answers, which include one of each. */
export function boundsOf(answers: readonly GivenAnswer[]): { good: number; bad: number } {
  const places = (wanted: BisectAnswer) => answers.filter(({ answer }) => answer === wanted).map(({ place }) => place);
  return { good: Math.max(...places("good")), bad: Math.min(...places("bad")) };
}

/**
 * How far a bisection is after some answers.
 *
 * The next build is the middle one of those that can still be tried: an answer halves their number, and a skip takes one of them
 * away. It takes at most ⌈log2 n⌉ answers and one more for each skip, where n is the number of builds that may be the first bad one.
 *
 * @param exists whether the build of a place still exists
 */
export function progressOf(answers: readonly GivenAnswer[], exists: (place: number) => boolean): BisectProgress {
  const { good, bad } = boundsOf(answers);
  const wasSkipped = new Set(answers.filter(({ answer }) => answer === "skip").map(({ place }) => place));
  const between = Array.from({ length: bad - good - 1 }, (_, index) => good + 1 + index);
  const existing = between.filter(exists);
  const untried = existing.filter((place) => !wasSkipped.has(place));
  return {
    good,
    bad,
    next: untried[untried.length >> 1] ?? null,
    untried: untried.length,
    skipped: existing.filter((place) => wasSkipped.has(place)),
    deleted: between.length - existing.length,
    stepsLeft: Math.ceil(Math.log2(untried.length + 1)),
  };
}
