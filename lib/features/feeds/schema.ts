import { z } from "zod";

/** How many releases a feed has, the last published. */
export const FEED_ENTRIES = 50;

export const noFeedInput = z.strictObject({});

/** The state of a user's feed. */
export const releaseFeedSchema = z.object({
  /** When its address was made; null without one. */
  createdAt: z.iso.datetime().nullable(),
  /** When a feed reader last read it. */
  lastReadAt: z.iso.datetime().nullable(),
});
export type ReleaseFeed = z.output<typeof releaseFeedSchema>;

/** The address of a new feed. It is shown this once. */
export const newReleaseFeedSchema = releaseFeedSchema.extend({ url: z.url() });

export const readReleaseFeedInput = z.strictObject({ token: z.string().min(1).max(200) });
