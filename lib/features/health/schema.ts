import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";

/** `warning` is to be looked at, `problem` keeps people or the console from working. */
export const SEVERITIES = ["ok", "warning", "problem"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a check can find, with how severe it is. */
export const FINDINGS = {
  database: { ok: "ok", slow: "warning", busy: "warning", silent: "problem" },
  store: { ok: "ok", slow: "warning", nearly_full: "problem", lost_files: "problem", silent: "problem" },
  disk: { ok: "ok", unknown: "warning", nearly_full: "problem" },
  mail: { ok: "ok", not_configured: "warning", failed: "warning", delayed: "problem" },
  audit: { ok: "ok", unverified: "warning", stale: "warning", changed: "problem" },
  certificates: { ok: "ok", expiring: "warning", expired: "warning" },
  backup: { ok: "ok", never: "warning", old: "problem", failed: "problem", lost_files: "problem" },
  jobs: { ok: "ok", failed: "warning", delayed: "problem", missing: "problem" },
  instances: { ok: "ok", silent: "warning", versions: "warning" },
} as const satisfies Record<string, Record<string, Severity>>;

export type Check = keyof typeof FINDINGS;
export type Finding<C extends Check> = Extract<keyof (typeof FINDINGS)[C], string>;

/** The checks in the order in which they are shown. */
export const CHECKS = Object.keys(FINDINGS) as Check[];

function findingOf<C extends Check>(check: C) {
  const findings = Object.keys(FINDINGS[check]) as [Finding<C>, ...Finding<C>[]];
  return { severity: z.enum(SEVERITIES), finding: z.enum(findings) };
}

const instant = z.iso.datetime();
const count = z.number().int();

export const healthSchema = z.object({
  /** The worst of all checks. */
  severity: z.enum(SEVERITIES),
  checkedAt: instant,
  /** Of the instance that answers. */
  version: z.string(),
  database: z.object({
    ...findingOf("database"),
    /** Milliseconds that it took to answer; null without an answer in time. */
    responseMs: z.number().nullable(),
    version: z.string(),
    /** The connections of the instance that answers. */
    pool: z.object({ size: count, max: count, idle: count, waiting: count }),
  }),
  store: z.object({
    ...findingOf("store"),
    kind: z.enum(["disk", "s3"]),
    responseMs: z.number().nullable(),
    usedBytes: z.number(),
    /** What uploads may still use; null if the store does not tell. */
    freeBytes: z.number().nullable(),
    /** Uploads in parts that are neither complete nor expired. */
    uploads: z.object({ count, bytes: z.number() }),
    /** Files in use that the latest sweep did not find. */
    lostFiles: count,
    /** When that sweep compared the files in use with the store; null before the first one. */
    sweptAt: instant.nullable(),
  }),
  /** The disk of the console's data folder. */
  disk: z.object({
    ...findingOf("disk"),
    freeBytes: z.number().nullable(),
    totalBytes: z.number().nullable(),
  }),
  mail: z.object({
    ...findingOf("mail"),
    configured: z.boolean(),
    /** Mails that wait for their turn or for a retry, up to 10,000. */
    waiting: count,
    oldestAt: instant.nullable(),
    /** Mails that failed for good in the last 24 hours, or are retried. */
    failed: count,
  }),
  jobs: z.object({
    ...findingOf("jobs"),
    queues: z.array(
      z.object({
        queue: z.string(),
        waiting: count,
        oldestAt: instant.nullable(),
        active: count,
      }),
    ),
    /** Jobs that failed for good, the latest first. */
    failures: z.array(z.object({ id: idSchema, queue: z.string(), reason: z.string(), failedAt: instant })),
  }),
  audit: z.object({
    ...findingOf("audit"),
    records: z.number(),
    /** How many of the records the latest verification found intact, and when. */
    verified: z.object({ records: z.number(), at: instant }).nullable(),
  }),
  /** Certificates in use that have expired, or expire within 30 days, and when the next one does. */
  certificates: z.object({
    ...findingOf("certificates"),
    expired: count,
    expiring: count,
    nextAt: instant.nullable(),
  }),
  /** The latest backup that was completed, and why the latest attempt failed, unless one succeeded since. */
  backup: z.object({
    ...findingOf("backup"),
    succeededAt: instant.nullable(),
    objects: z.number(),
    bytes: z.number(),
    failedAt: instant.nullable(),
    failure: z.string().nullable(),
  }),
  instances: z.object({
    ...findingOf("instances"),
    items: z.array(
      z.object({
        id: idSchema,
        name: z.string(),
        version: z.string(),
        startedAt: instant,
        seenAt: instant,
        /** Whether it was seen in the last 45 seconds. */
        running: z.boolean(),
        /** Whether it is the one that answers. */
        current: z.boolean(),
      }),
    ),
  }),
});
export type Health = z.output<typeof healthSchema>;

/** The ID of a failed job. */
export const retryJobInput = z.strictObject({ id: idSchema });
