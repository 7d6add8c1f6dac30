import { INSTALLER_KINDS, installerDetailsSchema, installerDiffSchema, limits } from "@slipway/installers";
import { z } from "zod";
import {
  csvFormat,
  DEFAULT_LIMIT,
  inPeriod,
  listInput,
  listOutput,
  MAX_LIMIT,
  periodFilters,
  repeatable,
} from "@/lib/api/list";
import { identifierSchema } from "@/lib/features/apps/schema";
import { versionNumberSchema } from "@/lib/features/configuration/schema";
import { platformKindSchema } from "@/lib/features/platforms/schema";
import { findingSchema } from "@/lib/features/rules/schema";
import { MAX_GROUPS } from "@/lib/features/testers/schema";
import { receivedFileSchema } from "@/lib/http/received-file";
import { BUNDLE_ERRORS } from "@/lib/kernel/bundle-errors";
import { fileNameSchema } from "@/lib/kernel/file-name-schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { SCOPES } from "@/lib/permissions/scopes";

export const MAX_DESCRIPTION = 5_000;
export const MAX_VERSION = limits.MAX_VERSION_LENGTH;
export const MAX_METADATA_ENTRIES = 50;

/** Metadata of a build: `gitCommit`, `gitBranch`, `buildUrl` and any other entries. */
export const metadataSchema = z
  .record(z.string().min(1).max(100), z.string().max(1_000))
  .superRefine((entries, ctx) => {
    if (Object.keys(entries).length > MAX_METADATA_ENTRIES) {
      const params = { code: "too_big", values: { limit: MAX_METADATA_ENTRIES } };
      ctx.addIssue({ code: "custom", message: "tooBig.list", params });
    }
  });

/** The name of a download. Which of the extensions it has depends on the installer. */
export const releaseFileNameSchema = fileNameSchema(INSTALLER_KINDS);

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
  /** The release notes as written, in Markdown. */
  description: z.string(),
  /** The release notes as HTML that is safe to insert into a page: no script, style, image or form. */
  descriptionHtml: z.string(),
  /** The first line of the release notes, as plain text. */
  descriptionSummary: z.string(),
  iosEnabled: z.boolean(),
  /** Whether apps that ask for updates must install it, or a later one, to go on. */
  mandatory: z.boolean(),
  /** Whether retention leaves it alone. */
  keep: z.boolean(),
  /** The file name of the download. */
  fileName: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** SHA-256 of the whole file, lower-case hex. */
  sha256: z.string(),
  iconUrl: z.string().nullable(),
  /** An iOS version or an Android API level. */
  minOs: z.string().nullable(),
  deployDate: z.iso.datetime(),
  /** When what people enter was changed last, for `ifUpdatedAt`. */
  updatedAt: z.iso.datetime(),
  /** Null if the account no longer exists. */
  createdBy: z
    .object({
      kind: z.enum(["user", "token"]),
      id: idSchema,
      name: z.string(),
      /** The picture of a user; null if there is none. */
      avatarUrl: z.string().nullable(),
    })
    .nullable(),
  /** The version of the environment's configuration that it was made with; null where there was none. */
  configurationVersion: versionNumberSchema.nullable(),
  metadata: z.record(z.string(), z.string()),
  /** The rules of the environment that it broke when it was published: those that warn, and those that were overridden. */
  warnings: z.array(findingSchema),
  /** The details that were read from the installer. */
  installer: installerDetailsSchema,
  /** Of an app bundle: the APK for all devices that the console makes of it; null if none was asked for. */
  universal: z
    .object({
      state: z.enum(["pending", "ready", "failed", "unavailable"]),
      /** Bytes; null before it is ready. */
      size: z.number().int().nullable(),
      /** SHA-256 of the certificate that signed it, lower-case hex. */
      signingSha256: z.string().nullable(),
      /** Whose key signed it. */
      key: z.enum(["environment", "app"]).nullable(),
      /** Why there is none. */
      error: z.enum(BUNDLE_ERRORS).nullable(),
      /** What bundletool said about it, in English. */
      detail: z.string().nullable(),
    })
    .nullable(),
  /** How often the file was downloaded, also again and by programs; `installs/get-install-funnel` counts the people. */
  downloads: z.number().int(),
  /** The console's page from which the release is installed. */
  installUrl: z.url(),
  /** The QR code of `installUrl`, an image for callers who may see the release. */
  qrUrl: z.url(),
});
export type Release = z.output<typeof releaseSchema>;

/** The response to a publication. `repeated` is set if the same bytes were already published in the environment. */
export const publishedReleaseSchema = releaseSchema.extend({ repeated: z.literal(true).optional() });
export type PublishedRelease = z.output<typeof publishedReleaseSchema>;

export const releasesOutput = listOutput(releaseSchema).extend({
  /** The environments of `items`, each with the scopes that the caller holds there. */
  environments: z.array(z.object({ id: idSchema, scopes: z.array(z.enum(SCOPES)) })),
});

/** How many releases a build is listed with, its latest ones. */
export const FILES_OF_BUILD = 50;

/** A build: the releases of one environment that people see as one. */
const buildSchema = z.object({
  /** Identifies the build as long as it has releases. */
  key: z.string(),
  version: z.string(),
  /** Of the release that was published last; platforms may count their builds apart. */
  buildNumber: z.string(),
  app: releaseSchema.shape.app,
  environment: releaseSchema.shape.environment,
  /** Of the release that was published last, as are the notes. */
  deployDate: z.iso.datetime(),
  description: z.string(),
  descriptionSummary: z.string(),
  /** By platform, installers for devices before app bundles; the latest 50. */
  releases: z.array(releaseSchema),
  /** How many releases it has. */
  releaseCount: z.number().int(),
  /** Bytes of all its releases. */
  size: z.number().int(),
  /** How often the files of `releases` were downloaded. */
  downloads: z.number().int(),
});
export type Build = z.output<typeof buildSchema>;

export const buildsOutput = listOutput(buildSchema).extend({ environments: releasesOutput.shape.environments });

const neighbourBuild = z.object({
  /** Of its last release. */
  id: idSchema,
  version: z.string(),
  buildNumber: z.string(),
});

/** A build, and those that were published before and after it in the environment. */
export const buildDetailsSchema = buildSchema.extend({
  previous: neighbourBuild.nullable(),
  next: neighbourBuild.nullable(),
  /** The scopes that the caller holds in the environment. */
  scopes: z.array(z.enum(SCOPES)),
});
export type BuildDetails = z.output<typeof buildDetailsSchema>;

/** Environments of one app; at most 100. */
export const getLatestTestingDeploysInput = z.strictObject({
  appId: idSchema,
  environmentIds: repeatable(idSchema),
});
/** At most 100 apps. */
export const getLatestTestingDeploysByAppInput = z.strictObject({ appIds: repeatable(idSchema) });
export const latestReleasesOutput = z.object({ items: z.array(releaseSchema) });

/** How many latest installers of each platform an application is listed with. */
export const LISTED_INSTALLERS = 6;

export const getInstallableReleasesInput = listInput({
  sorts: ["name"],
  filters: { appId: idSchema.optional(), environmentId: idSchema.optional() },
});

/** Applications, each with what can be installed of it. */
export const installableReleasesOutput = listOutput(
  z.object({
    app: z.object({ id: idSchema, name: z.string(), iconUrl: z.string().nullable() }),
    /** The latest installers of each platform and its latest app bundle, latest first; bundles are the last ones. */
    releases: z.array(releaseSchema),
    /** The environments of `releases` in which the caller may download. */
    downloadable: z.array(idSchema),
  }),
);
export type InstallableApp = z.output<typeof installableReleasesOutput>["items"][number];

/** The kinds of devices that open the page of a release. */
const deviceKindSchema = z.enum(["ios", "ipados", "android", "desktop"]);

/** A release as others refer to it. */
const namedBuild = z.object({ id: idSchema, version: z.string(), buildNumber: z.string() });

/** Two releases of one application, of the same kind of installer. */
export const releaseDiffInput = z.strictObject({
  from: idSchema,
  to: idSchema,
  /** `markdown` answers the difference as text for a pull request, in the caller's language. */
  format: z.enum(["json", "markdown"]).default("json"),
});

/** What two releases differ in. */
export const releaseDiffSchema = installerDiffSchema.extend({ from: namedBuild, to: namedBuild });
export type ReleaseDiff = z.output<typeof releaseDiffSchema>;

/** The last time that a release's page was opened on a kind of device, as its browser tells it. */
const releaseOpeningSchema = z.object({
  /** An iPad that presents itself as a Mac, and whose browser does not tell more, counts as `desktop`. */
  device: deviceKindSchema,
  /** An iOS version or an Android API level; null if the browser does not tell. */
  osVersion: z.string().nullable(),
  firstOpenedAt: z.iso.datetime(),
  lastOpenedAt: z.iso.datetime(),
});
export type ReleaseOpening = z.output<typeof releaseOpeningSchema>;

/** An opening of a person who can publish there is told apart: it does not count, and shows those who share the release that its link works. */
const knownOpeningSchema = releaseOpeningSchema.extend({ byPublisher: z.boolean() });
export type KnownOpening = z.output<typeof knownOpeningSchema>;

/** The last opening on each kind of device, latest first. */
export const releaseOpeningsOutput = z.object({ items: z.array(knownOpeningSchema) });

export const recordReleaseOpeningInput = z.strictObject({
  id: idSchema,
  device: deviceKindSchema,
  osVersion: z
    .string()
    .max(15)
    .regex(/^\d+(\.\d+)*$/)
    .nullish(),
});

/** One release with what its page needs besides. */
export const releaseDetailsSchema = releaseSchema.extend({
  /** The release before it, of the same identifier, platform and kind of installer; null for the first one. */
  previous: namedBuild.extend({ deployDate: z.iso.datetime() }).nullable(),
  /** The release that was published after it, of the same identifier, platform and kind of installer; null for the last one. */
  next: namedBuild.nullable(),
  /** The latest release of its platform in the environment, which may be this one. */
  latest: namedBuild,
  /** The installers of the same version and build in the environment, this one included: the latest of each platform and kind. */
  sameBuild: z.array(z.object({ id: idSchema, kind: z.enum(["ipa", "apk", "aab"]), platformName: z.string() })),
  /** Null if it was never downloaded. */
  lastDownloadAt: z.iso.datetime().nullable(),
  /** The last opening of its page on each kind of device, latest first. */
  openings: z.array(releaseOpeningSchema),
  /** What else can be installed from the environment. */
  alternatives: z.object({
    /** For an app bundle: the latest APK of the same version and build. */
    apkId: idSchema.nullable(),
    /** The platform of the other system (iOS or Android) with the newest release; null if that system has none. */
    otherPlatformId: idSchema.nullable(),
  }),
  /** What the console knows about its installation by the caller, beside the release itself. */
  installFacts: z.object({
    /** Whether the authority of the console's certificate is its own, which a device has to be told to trust. */
    ownAuthority: z.boolean(),
    /** The entitlements that the app claims and its profile does not grant. */
    ungrantedEntitlements: z.array(z.string()),
    /** Apple answered within a day that the certificate which signed the app is revoked. */
    certificateRevoked: z.boolean(),
    /** What the caller installed last of an Android app from here. */
    installed: z.object({ buildNumber: z.string(), signingSha256: z.array(z.string()) }).nullable(),
  }),
  /** The scopes that the caller holds in the environment. */
  scopes: z.array(z.enum(SCOPES)),
});

/** Scripts send variables that may be empty, so an empty string means that the field is omitted. */
const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .transform((text) => text || undefined)
    .optional();

/** Form fields are strings. Scripts in .NET, PowerShell and Python write `True`, others `1`. */
const FORM_BOOLEANS: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  false: false,
  True: true,
  False: false,
  TRUE: true,
  FALSE: false,
  "1": true,
  "0": false,
  "": undefined,
};

const formBoolean = z.union([z.enum(Object.keys(FORM_BOOLEANS)).transform((text) => FORM_BOOLEANS[text]), z.boolean()]);

const formVersion = z.union([
  versionNumberSchema,
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(versionNumberSchema),
  z.literal("").transform(() => undefined),
]);

/** A form sends metadata as a JSON string, a JSON body as an object. */
const formMetadata = z.preprocess((value, ctx) => {
  if (typeof value !== "string") return value;
  try {
    return value.trim() === "" ? {} : (JSON.parse(value) as unknown);
  } catch {
    ctx.addIssue({ code: "custom", message: "invalidFormat", params: { code: "invalid_format" } });
    return z.NEVER;
  }
}, metadataSchema);

/** The name or ID of a group. */
const groupName = z.string().trim().min(1).max(100);

/** A form sends one group as a text, and several as a field for each. */
const formGroups = z.preprocess(
  (value) => (typeof value === "string" ? [value].filter((text) => text.trim() !== "") : value),
  z.array(groupName).max(MAX_GROUPS),
);

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

/** Requires exactly one way of naming the environment. */
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

/** The environment of a release: its ID, or the app's identifier and the environment's name. */
function toPlace({
  environmentId,
  app,
  environment,
}: Place): { environmentId: string } | { app: string; environment: string } {
  return environmentId === undefined ? { app: app as string, environment: environment as string } : { environmentId };
}

/** The fields that name the environment. */
export const placeSchema = z
  .object(placeFields)
  .superRefine(requirePlace)
  .transform((fields) => ({ place: toPlace(fields) }));

/** The fields of a publication without the rules between them; forms use some of them. */
export const createTestingDeployFields = z.strictObject({
  ...placeFields,
  /** The installer, if it is sent with the form. */
  file: receivedFileSchema.optional(),
  /** The installer, if it was uploaded before. */
  fileId: idSchema.optional(),
  description: z.string().trim().min(1).max(MAX_DESCRIPTION),
  version: optionalText(MAX_VERSION),
  buildNumber: optionalText(MAX_VERSION),
  platformId: z.union([idSchema, z.literal("").transform(() => undefined)]).optional(),
  iosEnabled: formBoolean.optional(),
  mandatory: formBoolean.optional(),
  fileName: releaseFileNameSchema.transform((text) => text || undefined).optional(),
  /** The version of the environment's configuration that it was made with. By default, the current one. */
  configurationVersion: formVersion.optional(),
  metadata: formMetadata.default({}),
  /** The groups of testers that the release is distributed to, by name or ID; in a form, a field for each. Needs `release:update`. */
  groups: formGroups.default([]),
  /** Whether the members of the groups are told. */
  notify: formBoolean.default(true),
  /** Publishes a build that breaks rules of the environment all the same. Needs `environment:write`. */
  override: formBoolean.default(false),
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

/** The metadata that names the release of which a release is the copy. */
export const PROMOTED_FROM = "promotedFrom";

/** How many releases are promoted at once. */
const MAX_PROMOTED = 20;

/** Names one release, or several of one application. */
export const promoteTestingDeployInput = z
  .strictObject({
    id: idSchema.optional(),
    ids: z.array(idSchema).min(1).max(MAX_PROMOTED).optional(),
    /** The environment to publish them in. */
    environmentId: idSchema,
    /** By default, each keeps its own. */
    description: z.string().trim().min(1).max(MAX_DESCRIPTION).optional(),
    /** The groups of testers that the releases are distributed to, by name or ID. Needs `release:update` there. */
    groups: z.array(groupName).max(MAX_GROUPS).default([]),
    /** Whether the members of the groups are told. */
    notify: z.boolean().default(true),
    /** Publishes builds that break rules of the environment all the same. Needs `environment:write`. */
    override: z.boolean().default(false),
  })
  .superRefine(({ id, ids }, ctx) => {
    const issue = (path: "id" | "ids", message: string) =>
      ctx.addIssue({ code: "custom", path: [path], message, params: { code: message } });
    if (id === undefined && ids === undefined) issue("id", "required");
    if (id !== undefined && ids !== undefined) issue("ids", "idTwice");
  })
  .transform(({ id, ids, ...rest }) => ({ ...rest, ids: id === undefined ? [...new Set(ids)] : [id] }));

/** The releases in the environment, in the order of the input; `repeated` is set for those that were there before. */
export const promotedReleasesOutput = z.object({ items: z.array(publishedReleaseSchema) });

export const releaseNotesInput = z.strictObject({ description: z.string().max(MAX_DESCRIPTION) });
export const releaseNotesOutput = releaseSchema.pick({ descriptionHtml: true, descriptionSummary: true });

/** Omitted fields are not changed. */
export const updateTestingDeployInput = z.strictObject({
  id: idSchema,
  ifUpdatedAt: ifUpdatedAtSchema,
  description: z.string().trim().min(1).max(MAX_DESCRIPTION).optional(),
  /** Null or empty: the name that the file was uploaded with. */
  fileName: releaseFileNameSchema.transform((text) => text || null).nullish(),
  iosEnabled: z.boolean().optional(),
  mandatory: z.boolean().optional(),
  keep: z.boolean().optional(),
  metadata: metadataSchema.optional(),
});

const filters = {
  platformId: idSchema.optional(),
  /** The period of publication. */
  ...periodFilters,
  /** Exactly this version. */
  version: z.string().trim().max(MAX_VERSION).optional(),
};

/** Versions are compared part by part, so that 1.9 comes before 1.10. */
const sorts = ["-deployDate", "version", "size"] as const;

export const getTestingDeploysInput = inPeriod(
  listInput({ sorts, filters: { environmentId: idSchema, ...filters, ...csvFormat } }),
);
export const getTestingDeploysByAppInput = inPeriod(
  listInput({ sorts, filters: { appId: idSchema, ...filters, ...csvFormat } }),
);

/** Names an environment, or an app to cover all its environments that the caller can read. */
const environmentOrApp = { appId: idSchema.optional(), environmentId: idSchema.optional() };

function requireEnvironmentOrApp(
  { appId, environmentId }: { appId?: string; environmentId?: string },
  ctx: z.RefinementCtx,
): void {
  if (appId !== undefined || environmentId !== undefined) return;
  ctx.addIssue({ code: "custom", path: ["environmentId"], message: "required", params: { code: "required" } });
}

/** Sorted and filtered as releases; a build matches a platform or a search if one of its releases does. */
export const getBuildsInput = inPeriod(listInput({ sorts, filters: { ...environmentOrApp, ...filters } })).superRefine(
  requireEnvironmentOrApp,
);

export const getTestingDeployVersionsInput = z
  .strictObject({
    ...environmentOrApp,
    /** The beginning of the version, case-sensitive. */
    search: z.string().trim().max(MAX_VERSION).optional(),
    limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  })
  .superRefine(requireEnvironmentOrApp);

export const versionsOutput = z.object({
  items: z.array(z.object({ version: z.string(), lastReleaseAt: z.iso.datetime() })),
  /** Number of distinct versions, regardless of `limit`. */
  total: z.number().int(),
  /** Present if counting stopped early: there are at least `total` versions. */
  totalIsAtLeast: z.literal(true).optional(),
});

/** The bundle ID or package name of an installer. */
export const getPublishingPlacesInput = z.strictObject({ identifier: identifierSchema });

/** Where an installer can be published, and what has to be added first. */
export const publishingPlacesSchema = z.object({
  /** The apps that accept it, each with the environments in which the caller may publish it. */
  items: z.array(
    z.object({
      app: z.object({ id: idSchema, name: z.string(), identifier: z.string() }),
      environments: z.array(z.object({ id: idSchema, name: z.string() })),
      /** The environment in which the app was published last, otherwise the first one; null if there is none. */
      proposedEnvironmentId: idSchema.nullable(),
      mayCreateEnvironment: z.boolean(),
    }),
  ),
  /** Whether the caller may add an app for it; false where one accepts it. */
  mayCreateApp: z.boolean(),
  /** For administrators: the inactive app that has the identifier. */
  inactiveApp: z.object({ id: idSchema, name: z.string() }).nullable(),
  /** The active platforms. */
  platforms: z.array(z.object({ id: idSchema, name: z.string(), kind: platformKindSchema })),
});
export type PublishingPlaces = z.output<typeof publishingPlacesSchema>;

export const releaseIdInput = z.strictObject({ id: idSchema });

/** `universal`: of an app bundle, the APK for all devices. */
export const downloadInstallerInput = z.strictObject({ id: idSchema, variant: z.literal("universal").optional() });

export const appleFileInput = z.strictObject({
  token: z.string().min(1).max(200),
  part: z.enum(["manifest", "ipa", "icon", "icon-large"]).default("manifest"),
});

/** A token of begin-share-link-install. */
export const installerTokenInput = z.strictObject({ token: z.string().min(1).max(200) });

export const appleLinkSchema = z.object({
  token: z.string(),
  expiresAt: z.iso.datetime(),
  manifestUrl: z.url(),
  /** The `itms-services:` URL that Safari on an iPhone or iPad opens to install the release. */
  installUrl: z.string(),
});
