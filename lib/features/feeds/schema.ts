import { z } from "zod";

/** How many releases a feed has, the last published. */
export const FEED_ENTRIES = 50;

/** How many events a calendar has: what ends next, and then what ended last. */
export const CALENDAR_EVENTS = 1_000;

/** How far a calendar looks ahead, in days. */
export const CALENDAR_DAYS = 3_650;

/** What a user can subscribe to by a secret address: new releases, or a calendar of what ends. */
export type FeedKind = "release" | "calendar";

export const noFeedInput = z.strictObject({});

/** The state of a user's feed. */
export const feedStateSchema = z.object({
  /** When its address was made; null without one. */
  createdAt: z.iso.datetime().nullable(),
  /** When a feed reader or a calendar last read it. */
  lastReadAt: z.iso.datetime().nullable(),
});
export type FeedState = z.output<typeof feedStateSchema>;

/** The address of a new feed. It is shown this once. */
export const newFeedSchema = feedStateSchema.extend({ url: z.url() });

/** The address of a new calendar. It is shown this once. */
export const newCalendarFeedSchema = newFeedSchema.extend({
  /** The same address for the calendar of the device (`webcal:`). */
  webcalUrl: z.url(),
});

export const readFeedInput = z.strictObject({ token: z.string().min(1).max(200) });
