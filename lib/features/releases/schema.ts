import { installerDetailsSchema } from "@slipway/installers";
import { z } from "zod";
import { DEFAULT_LIMIT, listInput, listOutput, MAX_LIMIT, periodFilters, repeatable } from "@/lib/api/list";
import { platformKindSchema } from "@/lib/features/platforms/schema";
import { receivedFileSchema } from "@/lib/http/received-file";
import { idSchema } from "@/lib/kernel/ids-schema";
import { SCOPES } from "@/lib/permissions/scopes";

export const MAX_DESCRIPTION = 5_000;
export const MAX_VERSION = 100;
export const MAX_FILE_NAME = 255;
export const MAX_METADATA_ENTRIES = 50;

/** What a build tells about itself: `gitCommit`, `gitBranch`, `buildUrl` and whatever else it wants to. */
export const metadataSchema = z
  .record(z.string().min(1).max(100), z.string().max(1_000))
  .superRefine((entries, ctx) => {
    if (Object.keys(entries).length > MAX_METADATA_ENTRIES) {
      const params = { code: "too_big", values: { limit: MAX_METADATA_ENTRIES } };
      ctx.addIssue({ code: "custom", message: "tooBig.list", params });
    }
  });

/** A release: one installer, published in one environment. */
export const releaseSchema = z.object({
  id: idSchema,
  app: z.object({ id: idSchema, name: z.string(), identifier: z.string() }),
  environment: z.object({ id: idSchema, name: z.string() }),
  platform: z.object({ id: idSchema, name: z.string(), kind: platformKindSchema, logoUrl: z.string() }),
  version: z.string(),
  buildNumber: z.string(),
  /** The installer's own bundle ID or package name. */
  identifier: z.string(),
  displayName: z.string(),
  description: z.string(),
  iosEnabled: z.boolean(),
  /** Whether apps that ask for updates must install it, or a later one, to go on. */
  mandatory: z.boolean(),
  /** The name that it is downloaded under. */
  fileName: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Of the whole file, lower-case hex. */
  sha256: z.string(),
  iconUrl: z.string().nullable(),
  /** An iOS version or an Android API level. */
  minOs: z.string().nullable(),
  deployDate: z.iso.datetime(),
  /** Null where the account is no more. */
  createdBy: z.object({ kind: z.enum(["user", "token"]), id: idSchema, name: z.string() }).nullable(),
  metadata: z.record(z.string(), z.string()),
  /** What was read from the file. */
  installer: installerDetailsSchema,
  /** How often it was fetched. */
  downloads: z.number().int(),
  /** The console's page from which people install it. */
  installUrl: z.url(),
});
export type Release = z.output<typeof releaseSchema>;

/** The answer to a publication. `repeated` is set where the same bytes were published in the environment before. */
export const publishedReleaseSchema = releaseSchema.extend({ repeated: z.literal(true).optional() });
export type PublishedRelease = z.output<typeof publishedReleaseSchema>;

export const releasesOutput = listOutput(releaseSchema).extend({
  /** The environments of `items`, each with the scopes that the caller holds there. */
  environments: z.array(z.object({ id: idSchema, scopes: z.array(z.enum(SCOPES)) })),
});

/** Environments of one app; at most 100. */
export const getLatestTestingDeploysInput = z.strictObject({
  appId: idSchema,
  environmentIds: repeatable(idSchema),
});
/** At most 100 apps. */
export const getLatestTestingDeploysByAppInput = z.strictObject({ appIds: repeatable(idSchema) });
export const latestReleasesOutput = z.object({ items: z.array(releaseSchema) });

const listChange = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });

/** What is different from the release before: of the same app, platform and kind of installer in the environment. */
export const releaseChangesSchema = z.object({
  previous: z.object({ id: idSchema, version: z.string(), buildNumber: z.string(), deployDate: z.iso.datetime() }),
  /** Bytes. */
  size: z.object({ before: z.number().int(), after: z.number().int() }),
  /** Android permissions. */
  permissions: listChange,
  /** iOS entitlements, by their keys. */
  entitlements: listChange.extend({ changed: z.array(z.string()) }),
  /** The system levels that are not what they were. */
  sdk: z.array(
    z.object({
      name: z.enum(["minOs", "sdkVersion", "minSdk", "targetSdk"]),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
});
export type ReleaseChanges = z.output<typeof releaseChangesSchema>;

/** One release with what its page needs besides. */
export const releaseDetailsSchema = releaseSchema.extend({
  /** Null where it is the first. */
  changes: releaseChangesSchema.nullable(),
  /** What else can be installed from the environment. */
  alternatives: z.object({
    /** For an app bundle: the latest APK of the same version and build. */
    apkId: idSchema.nullable(),
    /** The platform of the other system (iOS or Android) with the latest release; null if that system has none. */
    otherPlatformId: idSchema.nullable(),
  }),
  /** The scopes that the caller holds in the environment. */
  scopes: z.array(z.enum(SCOPES)),
});

/** Scripts send variables that may be empty: an empty text counts as left out. */
const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .transform((text) => text || undefined)
    .optional();

/** In a form, everything is text. */
const formBoolean = z.union([
  z.boolean(),
  z.enum(["true", "false", ""]).transform((text) => (text === "" ? undefined : text === "true")),
]);

/** In a form, metadata may come as JSON; in JSON itself, it is an object. */
const formMetadata = z.preprocess((value, ctx) => {
  if (typeof value !== "string") return value;
  try {
    return value.trim() === "" ? {} : (JSON.parse(value) as unknown);
  } catch {
    ctx.addIssue({ code: "custom", message: "invalidFormat", params: { code: "invalid_format" } });
    return z.NEVER;
  }
}, metadataSchema);

const placeFields = {
  environmentId: z.union([idSchema, z.literal("").transform(() => undefined)]).optional(),
  /** The app's identifier; for scripts, with `environment` instead of `environmentId`. */
  app: optionalText(255),
  /** The environment's name. */
  environment: optionalText(100),
};

interface Place {
  environmentId?: string;
  app?: string;
  environment?: string;
}

/** Whether it is said, and said once, where a release belongs. */
function requirePlace(place: Place, ctx: z.RefinementCtx): void {
  const { environmentId, app, environment } = place;
  const issue = (path: keyof Place, message: string) =>
    ctx.addIssue({ code: "custom", path: [path], message, params: { code: message } });
  if (environmentId !== undefined) {
    if (app !== undefined || environment !== undefined) issue("environmentId", "placeTwice");
  } else if (app === undefined && environment === undefined) issue("environmentId", "required");
  else if (app === undefined) issue("app", "required");
  else if (environment === undefined) issue("environment", "required");
}

/** Where a release belongs: by the environment's id, or by the names that scripts know. */
export type ReleasePlace = { environmentId: string } | { app: string; environment: string };

function toPlace({ environmentId, app, environment }: Place): ReleasePlace {
  return environmentId === undefined ? { app: app as string, environment: environment as string } : { environmentId };
}

/** The fields that say where a release belongs. */
export const placeSchema = z
  .object(placeFields)
  .superRefine(requirePlace)
  .transform((fields) => ({ place: toPlace(fields) }));

/** The fields of a publication, each by itself; forms take some of them. */
export const createTestingDeployFields = z.strictObject({
  ...placeFields,
  /** The installer, where it comes with the form. */
  file: receivedFileSchema.optional(),
  /** The installer, where it was uploaded before. */
  fileId: idSchema.optional(),
  description: z.string().trim().min(1).max(MAX_DESCRIPTION),
  version: optionalText(MAX_VERSION),
  buildNumber: optionalText(MAX_VERSION),
  platformId: z.union([idSchema, z.literal("").transform(() => undefined)]).optional(),
  iosEnabled: formBoolean.optional(),
  mandatory: formBoolean.optional(),
  fileName: optionalText(MAX_FILE_NAME),
  metadata: formMetadata.default({}),
});

export const createTestingDeployInput = createTestingDeployFields
  .superRefine(requirePlace)
  .superRefine(({ file, fileId }, ctx) => {
    if (!file && !fileId)
      ctx.addIssue({ code: "custom", path: ["file"], message: "required", params: { code: "required" } });
    if (file && fileId)
      ctx.addIssue({ code: "custom", path: ["fileId"], message: "fileTwice", params: { code: "fileTwice" } });
  })
  .transform(({ environmentId, app, environment, file, fileId, ...release }) => ({
    ...release,
    place: toPlace({ environmentId, app, environment }),
    /** The form's file, or the id of a file that was uploaded before. */
    installer: file ?? { uploadedFileId: fileId as string },
  }));

/** What is left out stays. */
export const updateTestingDeployInput = z.strictObject({
  id: idSchema,
  description: z.string().trim().min(1).max(MAX_DESCRIPTION).optional(),
  /** Null or nothing: the name under which the file came. */
  fileName: z
    .string()
    .trim()
    .max(MAX_FILE_NAME)
    .transform((text) => text || null)
    .nullish(),
  iosEnabled: z.boolean().optional(),
  mandatory: z.boolean().optional(),
  metadata: metadataSchema.optional(),
});

const filters = {
  platformId: idSchema.optional(),
  /** When it was published. */
  ...periodFilters,
  /** Exactly this version. */
  version: z.string().trim().max(MAX_VERSION).optional(),
};

/** Versions are no sort: as texts, 1.10 comes before 1.9. */
const sorts = ["-deployDate"] as const;

export const getTestingDeploysInput = listInput({ sorts, filters: { environmentId: idSchema, ...filters } });
export const getTestingDeploysByAppInput = listInput({ sorts, filters: { appId: idSchema, ...filters } });

/** Names an environment, or an app to cover all its environments that the caller can read. */
export const getTestingDeployVersionsInput = z
  .strictObject({
    appId: idSchema.optional(),
    environmentId: idSchema.optional(),
    /** The beginning of the version, case-sensitive. */
    search: z.string().trim().max(MAX_VERSION).optional(),
    limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  })
  .superRefine(({ appId, environmentId }, ctx) => {
    if (appId !== undefined || environmentId !== undefined) return;
    ctx.addIssue({ code: "custom", path: ["environmentId"], message: "required", params: { code: "required" } });
  });

export const versionsOutput = z.object({
  items: z.array(z.object({ version: z.string(), lastReleaseAt: z.iso.datetime() })),
  /** Number of distinct versions, regardless of `limit`. */
  total: z.number().int(),
  /** Present if counting stopped early: there are at least `total` versions. */
  totalIsAtLeast: z.literal(true).optional(),
});

export const releaseIdInput = z.strictObject({ id: idSchema });

export const appleFilePartSchema = z.enum(["manifest", "ipa", "icon", "icon-large"]);
export type AppleFilePart = z.output<typeof appleFilePartSchema>;

export const appleFileInput = z.strictObject({
  token: z.string().min(1).max(200),
  part: appleFilePartSchema.default("manifest"),
});

export const appleLinkSchema = z.object({
  token: z.string(),
  expiresAt: z.iso.datetime(),
  manifestUrl: z.url(),
  /** What Safari on an iPhone or iPad opens to install it (`itms-services:`). */
  installUrl: z.string(),
});
