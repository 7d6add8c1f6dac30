import { z } from "zod";
import { appSchema } from "@/lib/features/apps/schema";
import { releaseSchema } from "@/lib/features/releases/schema";
import { idSchema } from "@/lib/kernel/ids-schema";

/** The number of days that a plot shows, today included. */
export const ACTIVITY_DAYS = 30;
/** The number of days of an application's installs in a list, today included. */
export const RECENT_DAYS = 7;

/**
 * What was published on one day, and the visits that began on it and fetched the installer, as the steps of installations
 * (`installs/get-install-funnel`) count them: each person once for each release.
 */
const activityDaySchema = z.object({
  /** A day in UTC. */
  day: z.iso.date(),
  releases: z.number().int(),
  /** Visits whose device fetched the installer to install it. */
  installs: z.number().int(),
  /** Of these, the installs of what was then the latest build of its environment and platform. */
  latestInstalls: z.number().int(),
  /** Visits whose browser saved the installer as a file. */
  downloads: z.number().int(),
});
export type ActivityDay = z.output<typeof activityDaySchema>;

/** How many visits opened a release on a system, as their devices tell it: each person once for each release. */
const openedSystemSchema = z.object({
  device: z.enum(["ios", "ipados", "android"]),
  /** The first number of the version of iOS, or the API level of Android; null if the browser does not tell. */
  version: z.string().nullable(),
  openings: z.number().int(),
});
export type OpenedSystem = z.output<typeof openedSystemSchema>;

/** Days in their order, without gaps; the last one is today. The systems are those of all the days together, the most frequent first. */
export const activitySchema = z.object({
  days: z.array(activityDaySchema),
  systems: z.array(openedSystemSchema),
  /** The visits that opened a release on systems that are not named. */
  otherOpenings: z.number().int(),
});
export type Activity = z.output<typeof activitySchema>;

/** @param days including today */
export const getAppActivityInput = z.strictObject({
  appId: idSchema,
  environmentId: idSchema.optional(),
  days: z.coerce.number().int().min(1).max(366).default(ACTIVITY_DAYS),
});

/** Filters of the newest releases. @param days at most so old */
export const getDashboardInput = z.strictObject({
  appId: idSchema.optional(),
  platformId: idSchema.optional(),
  days: z.coerce.number().int().min(1).max(366).optional(),
});

const named = z.object({ id: idSchema, name: z.string() });
const place = { app: named, environment: named };
const ofRelease = {
  ...place,
  release: z.object({ id: idSchema, version: z.string(), buildNumber: z.string() }),
  platform: z.string(),
  expiresAt: z.iso.datetime(),
};

/** Something that an administrator should do. */
const attentionSchema = z.discriminatedUnion("kind", [
  /** A verification found that the audit log was changed. `firstRecord` is the number of the first wrong record. */
  z.object({ kind: z.literal("audit"), firstRecord: z.number().int() }),
  /** The store for files does not respond. */
  z.object({ kind: z.literal("store") }),
  /** The store's disk is nearly full. */
  z.object({ kind: z.literal("storage"), freeBytes: z.number() }),
  /** Jobs failed or are retried. */
  z.object({ kind: z.literal("jobs"), queue: z.string(), count: z.number().int(), lastAt: z.iso.datetime() }),
  /** The provisioning profile of the latest release of an environment expires. */
  z.object({ kind: z.literal("profile"), ...ofRelease }),
  /** The certificate that signed such a release expires. */
  z.object({ kind: z.literal("signingCertificate"), ...ofRelease }),
  /** The certificate of the console's address expires, and with it all installations. */
  z.object({ kind: z.literal("tls"), host: z.string(), expiresAt: z.iso.datetime() }),
  z.object({ kind: z.literal("certificate"), ...place, name: z.string(), expiresAt: z.iso.datetime() }),
  z.object({ kind: z.literal("token"), ...place, name: z.string(), expiresAt: z.iso.datetime() }),
  /** The console's address only works on its own machine. */
  z.object({ kind: z.literal("address"), host: z.string() }),
  /** Mails are not sent. */
  z.object({ kind: z.literal("mail") }),
  /** Invited users have not chosen a password. */
  z.object({ kind: z.literal("invitations"), count: z.number().int() }),
]);
export type Attention = z.output<typeof attentionSchema>;

/** An application with the latest release of each environment. */
const dashboardAppSchema = appSchema.extend({
  environments: z.array(
    named.extend({
      latest: z
        .object({ id: idSchema, version: z.string(), buildNumber: z.string(), deployDate: z.iso.datetime() })
        .nullable(),
    }),
  ),
  /** Installs of each of the last `RECENT_DAYS` days; the last one is today. */
  installs: z.array(z.number().int()),
});
export type DashboardApp = z.output<typeof dashboardAppSchema>;

export const dashboardSchema = z.object({
  /** The most urgent first; what expired more than `PAST_DAYS` days ago comes last. */
  attention: z.array(attentionSchema),
  /** Newest first. */
  releases: z.array(releaseSchema),
  /** The application in which something was published last is first. */
  apps: z.array(dashboardAppSchema),
  activity: activitySchema,
  /** `freeBytes` is what uploads may still use; null if the store does not tell. */
  storage: z.object({ usedBytes: z.number(), freeBytes: z.number().nullable() }),
  counts: z.object({
    apps: z.number().int(),
    environments: z.number().int(),
    releases: z.number().int(),
    platforms: z.number().int(),
    users: z.number().int(),
    /** Users who are not administrators. */
    testers: z.number().int(),
    roles: z.number().int(),
    permissions: z.number().int(),
    apiTokens: z.number().int(),
    auditRecords: z.number().int(),
  }),
});
export type Dashboard = z.output<typeof dashboardSchema>;
