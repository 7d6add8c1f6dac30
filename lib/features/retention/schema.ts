import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { platformKindSchema } from "@/lib/features/platforms/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifStoredAtSchema, storedAtSchema } from "@/lib/kernel/if-updated-at-schema";

/** The limits of a rule. */
export const MAX_KEEP_NEWEST = 10_000;
export const MAX_KEEP_DAYS = 3_650;
/** How many releases a preview names, the largest first, and how many `get-storage` does. */
export const PREVIEWED_RELEASES = 10;
export const LARGEST_RELEASES = 20;
/** How many applications `get-storage` lists, the largest first. */
export const LISTED_APPS = 100;
/** How many releases of the bin are named at once to be deleted for good. */
const MAX_EMPTIED = 100;

const keepNewest = z.number().int().min(1).max(MAX_KEEP_NEWEST).nullable();
const keepDays = z.number().int().min(1).max(MAX_KEEP_DAYS).nullable();

const environmentInput = z.strictObject({ environmentId: idSchema });
export const getRetentionInput = environmentInput;

/** Omitted fields are not changed; null turns a condition off. With neither number, all releases stay. */
export const updateRetentionInput = environmentInput.extend({
  /** How many of the newest builds of each platform stay. */
  keepNewest: keepNewest.optional(),
  /** For how many days a release stays. */
  keepDays: keepDays.optional(),
  keepWithShareLink: z.boolean().optional(),
  /** For a rule that leaves nothing: how many releases it deletes now, as `get-retention-preview` tells. */
  confirmReleases: z.number().int().min(1).optional(),
  ifUpdatedAt: ifStoredAtSchema,
});

/** Which releases of an environment stay: those that one of the numbers keeps. */
export const retentionSchema = z.object({
  environmentId: idSchema,
  keepNewest,
  keepDays,
  keepWithShareLink: z.boolean(),
  /** Whether it may leave nothing. Otherwise, the newest build and the latest release of each platform always stay. */
  mayDeleteAll: z.boolean(),
  updatedAt: storedAtSchema,
});
export type Retention = z.output<typeof retentionSchema>;

const queryNumber = (max: number) => z.coerce.number().int().min(1).max(max).optional();

/** A rule; by default, that of the environment. */
export const retentionPreviewInput = environmentInput.extend({
  keepNewest: queryNumber(MAX_KEEP_NEWEST),
  keepDays: queryNumber(MAX_KEEP_DAYS),
  keepWithShareLink: z.stringbool().or(z.boolean()).optional(),
});

const previewedRelease = z.object({
  id: idSchema,
  displayName: z.string(),
  version: z.string(),
  buildNumber: z.string(),
  platform: z.object({ id: idSchema, name: z.string(), kind: platformKindSchema }),
  deployDate: z.iso.datetime(),
  /** Bytes. */
  size: z.number().int(),
});

export const retentionPreviewSchema = z.object({
  /** How many releases would go to the bin, and their bytes. */
  releases: z.number().int(),
  bytes: z.number().int(),
  /** How many releases the environment has. */
  total: z.number().int(),
  /** Whether the rule, as it is written, leaves nothing. It is stored only with `confirmReleases`. */
  deletesAll: z.boolean(),
  /** Some of those that would go, the largest first. */
  items: z.array(previewedRelease),
});
export type RetentionPreview = z.output<typeof retentionPreviewSchema>;

export const getBinInput = listInput({
  sorts: ["-binnedAt", "size"],
  filters: { appId: idSchema.optional(), environmentId: idSchema.optional() },
}).superRefine(({ appId, environmentId }, ctx) => {
  if (appId !== undefined || environmentId !== undefined) return;
  ctx.addIssue({ code: "custom", path: ["environmentId"], message: "required", params: { code: "required" } });
});

const named = z.object({ id: idSchema, name: z.string() });

const binnedReleaseSchema = previewedRelease.extend({
  app: named,
  environment: named,
  /** The file name of the download. */
  fileName: z.string(),
  reason: z.enum(["deleted", "retention"]),
  /** Who deleted it; null for retention, and if the account no longer exists. */
  deletedBy: named.extend({ kind: z.enum(["user", "token"]) }).nullable(),
  binnedAt: z.iso.datetime(),
  /** Until when it can be restored. */
  expiresAt: z.iso.datetime(),
});
export type BinnedRelease = z.output<typeof binnedReleaseSchema>;
export const binOutput = listOutput(binnedReleaseSchema).extend({
  /** Bytes of the files of all releases in the bin of these environments. */
  bytes: z.number().int(),
});

export const restoreReleaseInput = z.strictObject({ id: idSchema });

/** The bin of an environment, or some releases of it. */
export const emptyBinInput = environmentInput.extend({
  ids: z.array(idSchema).min(1).max(MAX_EMPTIED).optional(),
});
/** What is being deleted. */
export const emptyBinOutput = z.object({ releases: z.number().int(), bytes: z.number().int() });

export const getStorageInput = z.strictObject({});

const bytes = z.object({
  /** Bytes of files, by the kind of installer. A file that several environments share counts in each. */
  ipa: z.number().int(),
  apk: z.number().int(),
  aab: z.number().int(),
  other: z.number().int(),
  /** Bytes of files in the bin. */
  bin: z.number().int(),
});
const usage = z.object({
  bytes,
  /** The sum of `bytes`. */
  total: z.number().int(),
  /** How many releases there are, without those in the bin. */
  releases: z.number().int(),
  /** What the next runs of retention move to the bin. */
  due: z.object({ releases: z.number().int(), bytes: z.number().int() }),
});

export const storageSchema = z.object({
  /** Bytes of all files in use in the store. */
  usedBytes: z.number().int(),
  /** Of these, logos, icons and pictures. */
  imageBytes: z.number().int(),
  /** What several environments share, and is therefore less in the store than the sums say. */
  sharedBytes: z.number().int(),
  /** What uploads may still use; null if the store does not tell. */
  freeBytes: z.number().nullable(),
  all: usage,
  /** The applications with the most bytes. */
  apps: z.array(usage.extend({ app: named, environments: z.array(usage.extend({ environment: named })) })),
  /** How many applications there are that are not listed. */
  moreApps: z.number().int(),
  /** The largest releases. */
  largest: z.array(previewedRelease.extend({ app: named, environment: named })),
});
export type Storage = z.output<typeof storageSchema>;
