import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { releaseSchema } from "@/lib/features/releases/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { BISECT_ANSWERS } from "./rules";

/** The largest number of builds from the good to the bad one. */
export const MAX_BUILDS = 10_000;

/** How many bisections one user or API token can have. */
export const MAX_OWN_BISECTS = 100;

/** How many builds are named among which the first bad one is. */
export const MAX_SUSPECTS = 50;

export const startBisectInput = z.strictObject({
  /** A release without the fault. */
  goodId: idSchema,
  /** A release with the fault that was published after the good one, of the same platform, app and kind of installer. */
  badId: idSchema,
  /** The environment of both. */
  environmentId: idSchema,
});

export const bisectIdInput = z.strictObject({ id: idSchema });

export const answerBisectInput = z.strictObject({
  id: idSchema,
  /** What the build showed; `skip` if it could not be tried. `undo` takes the last answer back. */
  answer: z.enum([...BISECT_ANSWERS, "undo"]),
  /** The release that the answer is about; without it, the one to try next, or the last one that has an answer. */
  releaseId: idSchema.optional(),
});

export const getOwnBisectsInput = listInput({ sorts: ["-updatedAt", "createdAt"], filters: {} }).omit({ search: true });

/** A release as a bisection names it, also after it was deleted. */
const bisectReleaseSchema = z.object({
  id: idSchema,
  version: z.string(),
  buildNumber: z.string(),
  deployDate: z.iso.datetime(),
  /** The commit that it was built of, of its metadata; null if it is not known. */
  commit: z.string().nullable(),
  /** Whether the release was deleted. */
  deleted: z.boolean(),
});
export type BisectRelease = z.output<typeof bisectReleaseSchema>;

const placeFields = {
  id: idSchema,
  app: releaseSchema.shape.app,
  environment: releaseSchema.shape.environment,
  platform: releaseSchema.shape.platform.omit({ logoUrl: true }),
  /** The newest release that is known to be good. */
  good: bisectReleaseSchema,
  /** The oldest release that is known to be bad. */
  bad: bisectReleaseSchema,
  /** How many builds between the two may have brought the fault too, the skipped ones included. */
  remaining: z.int(),
  /** How many builds have to be tried at most, unless some are skipped. */
  stepsLeft: z.int(),
  /** Whether no build is left to be tried. */
  done: z.boolean(),
  /** How many answers were given. */
  answers: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** A search for the build that brought a fault. */
export const bisectSchema = z.object({
  ...placeFields,
  /** The release to try next; null if there is none. */
  next: releaseSchema.nullable(),
  /** The last answer, which `undo` takes back; null if there is none. */
  last: bisectReleaseSchema.extend({ answer: z.enum(BISECT_ANSWERS) }).nullable(),
  /** How many of the remaining builds were skipped. */
  skipped: z.int(),
  /** How many builds between the good and the bad one were deleted before they were tried. They are left out. */
  deleted: z.int(),
  /** The release that brought the fault; null until it is known, and if only skipped builds are left. */
  firstBad: bisectReleaseSchema
    .extend({
      /** Its notes in Markdown, and as HTML that is safe to insert into a page; null if it was deleted. */
      description: z.string().nullable(),
      descriptionHtml: z.string().nullable(),
      metadata: z.record(z.string(), z.string()),
    })
    .nullable(),
  /** The release before it; null as `firstBad` is. */
  lastGood: bisectReleaseSchema.nullable(),
  /** If only skipped builds are left: the builds among which the first bad one is, oldest first, at most 50. Otherwise empty. */
  suspects: z.array(bisectReleaseSchema),
  /** Once it is done: where what the bad release changed since the good one can be read; null if one of them was deleted. */
  diff: z
    .object({
      from: idSchema,
      to: idSchema,
      /** The call of `get-release-diff`. */
      url: z.url(),
    })
    .nullable(),
});
export type Bisect = z.output<typeof bisectSchema>;

/** A bisection as lists show it: as its last answer left it. */
export const ownBisectsOutput = listOutput(z.object(placeFields));
export type OwnBisect = z.output<typeof ownBisectsOutput>["items"][number];
