import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { receivedFileSchema } from "@/lib/http/received-file";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { lineSchema } from "@/lib/kernel/name-schema";

export const MAX_FEEDBACK_TEXT = 5_000;
export const MAX_RATING = 5;
export const MAX_FEEDBACK_NOTE = 2_000;
/** The largest picture that is taken, in bytes. The stored picture is re-encoded and smaller. */
export const MAX_SCREENSHOT_BYTES = 10_000_000;
/** The types of pictures, as an `input` of a page takes them. With them, iOS converts photos to JPEG. */
export const SCREENSHOT_TYPES = "image/png,image/jpeg,image/webp";
/** How much feedback a release can have. */
export const MAX_FEEDBACK_OF_RELEASE = 5_000;

/** A form sends line breaks as CRLF (RFC 7578), which would count twice. */
const multiline = z.string().overwrite((text) => text.replaceAll("\r\n", "\n").trim());

const ratingSchema = z.union([
  z.int().min(1).max(MAX_RATING),
  z.enum(["1", "2", "3", "4", "5"]).transform((text) => Number(text)),
]);

const DEVICES = ["ios", "ipados", "android", "desktop"] as const;
export const deviceSchema = z.enum(DEVICES);

/** What somebody says about a release. Fields of a form that are empty count as omitted. */
export const feedbackFields = {
  text: multiline.min(1).max(MAX_FEEDBACK_TEXT),
  /** From 1 to 5. */
  rating: z.preprocess((value) => (value === "" ? undefined : value), ratingSchema.optional()),
  /** A picture as PNG, JPEG or WebP of at most 10 MB and 4,096 × 4,096 pixels. */
  screenshot: receivedFileSchema.optional(),
  /** The device on which the release was tried. By default, that of the request. */
  device: deviceSchema.optional(),
  /** An iOS version or an Android API level. */
  osVersion: lineSchema.max(50).optional(),
  /** Such as `Pixel 9`. */
  model: lineSchema.max(100).optional(),
};

const releaseFields = z.object({ releaseId: idSchema });

/** The fields by which the right is checked before the picture arrives. */
export const feedbackTargetSchema = releaseFields;
export const createFeedbackInput = z.strictObject({ ...releaseFields.shape, ...feedbackFields });

export const FEEDBACK_STATES = ["open", "done"] as const;
const stateSchema = z.enum(FEEDBACK_STATES);

export const feedbackIdInput = z.strictObject({ id: idSchema });

/** Omitted fields are not changed; null or an empty text removes the note. */
export const updateFeedbackInput = z.strictObject({
  id: idSchema,
  state: stateSchema.optional(),
  note: multiline.max(MAX_FEEDBACK_NOTE).nullish(),
  ifUpdatedAt: ifUpdatedAtSchema,
});

const named = z.object({ id: idSchema, name: z.string() });

export const feedbackSchema = z.object({
  id: idSchema,
  app: named,
  environment: named,
  /** Null if the release was deleted. */
  releaseId: idSchema.nullable(),
  version: z.string(),
  buildNumber: z.string(),
  text: z.string(),
  rating: z.number().int().nullable(),
  state: stateSchema,
  note: z.string().nullable(),
  device: deviceSchema,
  osVersion: z.string().nullable(),
  model: z.string().nullable(),
  /** The picture, for those who may read the release; null if there is none. */
  screenshotUrl: z.string().nullable(),
  /**
   * Who gave it: a user, an API token, or somebody without an account by a share link, whose name is only for those who may change
   * links. Null if the account no longer exists.
   */
  author: z.object({ kind: z.enum(["user", "token", "link"]), id: idSchema, name: z.string().nullable() }).nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Whether the caller may change and delete it. */
  mayChange: z.boolean(),
});
export type Feedback = z.output<typeof feedbackSchema>;

/** The feedback on a release, on those of an environment, or on those of an application in the environments that the caller reaches. */
export const getFeedbackInput = listInput({
  sorts: ["-createdAt"],
  filters: {
    releaseId: idSchema.optional(),
    environmentId: idSchema.optional(),
    appId: idSchema.optional(),
    state: stateSchema.optional(),
    rating: z.coerce.number().int().min(1).max(MAX_RATING).optional(),
    device: deviceSchema.optional(),
  },
}).refine(
  ({ releaseId, environmentId, appId }) =>
    releaseId !== undefined || environmentId !== undefined || appId !== undefined,
  { error: "feedbackPlace", path: ["appId"] },
);
export const feedbackOutput = listOutput(feedbackSchema).extend({
  /** How much of what the place has is open, whatever the other filters say. */
  open: z.number().int(),
});
