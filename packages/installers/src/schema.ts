import { z } from "zod";
import { MAX_TEXT_LENGTH } from "./limits";
import {
  ANDROID_DEVICE_TYPES,
  type AndroidInstaller,
  type EntitlementValue,
  EXECUTABLE_PLATFORMS,
  INSTALLER_KINDS,
  type Installer,
  type IpaInstaller,
  PROFILE_TYPES,
  RESOURCE_TABLE_STORAGE,
} from "./types";

/** The properties that the console stores in columns of their own. */
type Columns = "identifier" | "displayName" | "version" | "buildNumber" | "minOs" | "icon";

const text = z.string().max(MAX_TEXT_LENGTH);
const apiLevel = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const entitlementValue: z.ZodType<EntitlementValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(entitlementValue), z.record(z.string(), entitlementValue)]),
);

const ipaDetails = z.strictObject({
  kind: z.literal("ipa"),
  signingSha256: z.array(sha256),
  deviceFamilies: z.array(z.enum(["iphone", "ipad", "tv", "watch", "vision", "mac"])),
  sdkVersion: text.nullable(),
  profileName: text.nullable(),
  profileType: z.enum(PROFILE_TYPES).nullable(),
  team: text.nullable(),
  teamName: text.nullable(),
  profileCreated: z.iso.datetime().nullable(),
  profileExpiry: z.iso.datetime().nullable(),
  deviceCount: z.int().nonnegative().nullable(),
  entitlements: z.record(z.string(), entitlementValue),
  simulator: z.boolean().optional(),
  signed: z.boolean().optional(),
  certificateExpiry: z.iso.datetime().nullish(),
  requiredCapabilities: z.array(text).optional(),
  usageDescriptions: z.array(text).optional(),
  architectures: z.array(text).optional(),
  platforms: z.array(z.enum(EXECUTABLE_PLATFORMS)).optional(),
  profilePlatforms: z.array(text).optional(),
  unpackable: text.nullish(),
}) satisfies z.ZodType<Omit<IpaInstaller, Columns | "profileDevices">>;

const androidDetails = z.strictObject({
  kind: z.enum(INSTALLER_KINDS).exclude(["ipa"]),
  signingSha256: z.array(sha256),
  minSdk: apiLevel.nullable(),
  targetSdk: apiLevel.nullable(),
  permissions: z.array(z.string()),
  abis: z.array(z.string()),
  signatureSchemes: z.array(z.enum(["v1", "v2", "v3", "v3.1"])),
  split: z.boolean(),
  debuggable: z.boolean(),
  testOnly: z.boolean().optional(),
  pageAligned: z.boolean().nullish(),
  continuedSha256: z.array(sha256).optional(),
  resourceTable: z.enum(RESOURCE_TABLE_STORAGE).nullish(),
  resourcesRead: z.boolean().optional(),
  unloadableAbis: z.array(text).optional(),
  previewCodename: text.nullish(),
  requiredLibraries: z.array(text).optional(),
  deviceTypes: z.array(z.enum(ANDROID_DEVICE_TYPES)).optional(),
}) satisfies z.ZodType<Omit<AndroidInstaller, Columns>>;

/** The properties of an installer that are stored as one JSON value. */
export const installerDetailsSchema = z.discriminatedUnion("kind", [ipaDetails, androidDetails]);
export type InstallerDetails = z.infer<typeof installerDetailsSchema>;

/** Checks entitlements that were stored. */
export const entitlementsSchema = z.record(z.string(), entitlementValue);

/** The details of an inspected installer, checked against {@link installerDetailsSchema}. The devices of its profile are none. */
export function installerDetails(installer: Installer): InstallerDetails {
  const { identifier, displayName, version, buildNumber, minOs, icon, ...kept } = installer;
  if (kept.kind !== "ipa") return installerDetailsSchema.parse(kept);
  const { profileDevices, ...details } = kept;
  return installerDetailsSchema.parse(details);
}
