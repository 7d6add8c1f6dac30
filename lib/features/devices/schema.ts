import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifStoredAtSchema, ifUpdatedAtSchema, storedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { lineSchema, nameSchema } from "@/lib/kernel/name-schema";
import { statusSchema } from "@/lib/kernel/status-schema";
import { normalizeUdid } from "@/lib/kernel/udid";
import { DEVICE_SYSTEMS } from "./rules";

const deviceSystemSchema = z.enum(DEVICE_SYSTEMS);

/** How many devices one user can have. */
export const MAX_OWN_DEVICES = 100;

/** A UDID as people type or paste it. */
const udidSchema = z
  .string()
  .trim()
  .max(50)
  .refine((text) => normalizeUdid(text) !== null, { error: "udid" })
  .transform((text) => normalizeUdid(text) as string);

/** A version of iOS, or an API level of Android. */
const versionSchema = z
  .string()
  .trim()
  .max(15)
  .regex(/^\d{1,3}(\.\d{1,3}){0,2}$/, { error: "deviceVersion" });

/** The identifier of a model, such as "iPhone15,2" or "Pixel 8". */
const modelSchema = z
  .string()
  .trim()
  .max(100)
  .regex(/^[\x20-\x7e]*$/, { error: "deviceModel" });

/** An empty text means that it is not known. */
const optional = (schema: z.ZodType<string, string>) =>
  z
    .union([z.literal("").transform(() => null), schema])
    .nullable()
    .optional();

/** A device, as its owner and administrators see it. */
export const deviceSchema = z.object({
  id: idSchema,
  /** Null if an administrator entered it for nobody. */
  user: z.object({ id: idSchema, firstNames: z.string(), lastNames: z.string(), email: z.string() }).nullable(),
  name: z.string(),
  os: deviceSystemSchema,
  /** An iOS version or an Android API level; null if it is not known. */
  osVersion: z.string().nullable(),
  /** The identifier of the model, such as "iPhone15,2"; null if it is not known. */
  model: z.string().nullable(),
  /** The name under which the model is sold; null if it is not known. */
  modelName: z.string().nullable(),
  /** Null for what has none, such as Android. */
  udid: z.string().nullable(),
  /** Whether a certificate of Apple's signed what the device told of itself. */
  attested: z.boolean(),
  createdAt: z.iso.datetime(),
  /** When the device told of itself last; null if an administrator entered it. */
  lastSeenAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});
export type Device = z.output<typeof deviceSchema>;

export const deviceIdInput = z.strictObject({ id: idSchema });

/** Searched by name, model and owner, or by the whole UDID. */
export const getDevicesInput = listInput({
  sorts: ["-createdAt", "name", "lastSeenAt"],
  filters: {
    userId: idSchema.optional(),
    os: deviceSystemSchema.optional(),
    /** Only those that `start-apple-registration` would send to Apple for a release. */
    missingIn: idSchema.optional(),
    /** Only those that it would send for an environment. */
    toRegisterIn: idSchema.optional(),
  },
});
export const devicesOutput = listOutput(deviceSchema);

export const getOwnDevicesInput = listInput({
  sorts: ["-createdAt", "name"],
  filters: { os: deviceSystemSchema.optional() },
});

export const createDeviceInput = z.strictObject({
  /** Whose device it is; nobody's if left out. */
  userId: idSchema.nullable().optional(),
  name: nameSchema,
  udid: udidSchema,
  model: optional(modelSchema),
  osVersion: optional(versionSchema),
});

/** Omitted fields are not changed. Of their own devices, users change the name. */
export const updateDeviceInput = z.strictObject({
  id: idSchema,
  name: nameSchema.optional(),
  /** Only administrators change whose device it is. */
  userId: idSchema.nullable().optional(),
  model: optional(modelSchema),
  osVersion: optional(versionSchema),
  ifUpdatedAt: ifUpdatedAtSchema,
});

/** How long a name can be that is given before the device is known. */
const MAX_ENROLLED_NAME = 60;

export const startDeviceEnrollmentInput = z.strictObject({
  /** The name of the device; without it, the name that the device tells. */
  name: nameSchema.max(MAX_ENROLLED_NAME).optional(),
});

export const deviceEnrollmentSchema = z.object({
  /** The page to open on the device. */
  enrollmentUrl: z.url(),
  /** The profile to install. */
  profileUrl: z.url(),
  /** The QR code of the page, for a device other than this one. */
  qrUrl: z.url(),
  expiresAt: z.iso.datetime(),
});

export const enrollmentTokenInput = z.strictObject({ token: z.string().min(1).max(200) });

/** The longest answer of a device, in bytes. That of an iPhone has about 4,000. */
export const MAX_ANSWER_BYTES = 40_000;

export const completeDeviceEnrollmentInput = z.strictObject({
  token: z.string().min(1).max(200),
  /** The answer of the device as CMS, in base64. The device itself sends it as the body, with the token in the address. */
  answer: z
    .base64()
    .min(1)
    .max(Math.ceil(MAX_ANSWER_BYTES / 3) * 4),
});

export const completedEnrollmentSchema = z.object({
  /** The page that says that the device is registered. */
  url: z.url(),
});

/** What the browser of a device that has no UDID tells of it. What its User-Agent tells is added. */
export const createOwnDeviceInput = z.strictObject({
  name: nameSchema.optional(),
  platform: lineSchema.max(100).optional(),
  maxTouchPoints: z.number().int().min(0).max(256).optional(),
  /** Of the system, from the User-Agent Client Hints. */
  platformVersion: lineSchema.max(50).optional(),
  model: lineSchema.max(100).optional(),
});

/** The longest file of devices that is imported, in characters. */
export const MAX_IMPORT_LENGTH = 2_000_000;
export const MAX_IMPORT_ROWS = 20_000;
/** How many of the wrong lines of an import are named. */
export const MAX_NAMED_LINES = 100;

export const importDevicesInput = z.strictObject({
  /** Apple's file for many devices: lines of UDID, name and platform, separated by tabs, with or without their header. */
  text: z.string().min(1).max(MAX_IMPORT_LENGTH),
  /** Only says what an import would do, also of a file with wrong lines. */
  dryRun: z.boolean().default(false),
});

/** Why a line of an import is wrong. The line itself is not repeated, because it may contain a UDID. */
export const LINE_PROBLEMS = ["udid", "name", "platform"] as const;

export const importedDevicesSchema = z.object({
  dryRun: z.boolean(),
  /** How many devices were or would be added. */
  added: z.int(),
  /** How many are there already, of whomever they are. */
  already: z.int(),
  /** Lines whose UDID another line has too. */
  repeated: z.int(),
  /** Macs, which are left out. */
  macs: z.int(),
  /** Wrong lines; an import with one adds nothing. */
  invalid: z.int(),
  /** The first of them, with their numbers. */
  invalidLines: z.array(z.object({ line: z.int(), problem: z.enum(LINE_PROBLEMS) })),
});

export const exportDevicesInput = z.strictObject({
  userId: idSchema.optional(),
  os: deviceSystemSchema.optional(),
  search: z.string().trim().max(200).optional(),
  /** A release: only devices that its profile does not list, of people who may see it and of nobody. */
  missingIn: idSchema.optional(),
});

/** A device as those see it who may edit a release, and its owner: without its UDID. */
const releaseDeviceSchema = deviceSchema
  .omit({ udid: true, attested: true, createdAt: true, lastSeenAt: true, updatedAt: true })
  .extend({
    /** Whether the profile of the release lists it. */
    covered: z.boolean(),
  });

/**
 * Whether only covered or only missing devices are listed, and whether only the caller's own, which is all that is listed without
 * `release:update`.
 */
export const getReleaseDevicesInput = listInput({
  sorts: ["name", "-createdAt"],
  filters: {
    id: idSchema,
    covered: z.enum(["true", "false"]).optional(),
    /** Only a signed-in user has devices. */
    own: z.literal("true").optional(),
  },
});

export const releaseDevicesOutput = listOutput(releaseDeviceSchema).extend({
  /**
   * `listed` if the profile lists devices, `all` if it is for all (enterprise), `none` if it is for a store or the release is no .ipa,
   * `unknown` if the profile has not been read yet. There are devices only with `listed`.
   */
  profile: z.enum(["listed", "all", "none", "unknown"]),
  /** How many devices of people who may see the release, and of nobody, the profile lists, also of those that `items` leaves out. */
  covered: z.int(),
  notCovered: z.int(),
  /** How many devices of the profile are not known to the console. */
  unknownUdids: z.int(),
});

export const appStoreKeyInput = z.strictObject({ environmentId: idSchema });

/** The key of App Store Connect's API by which an environment registers devices with Apple. */
export const appStoreKeySchema = z.object({
  environmentId: idSchema,
  /** The file of the key, among the environment's secure certificates; null if the environment has no key. */
  certificate: z.object({ id: idSchema, name: z.string(), fileName: z.string(), status: statusSchema }).nullable(),
  keyId: z.string().nullable(),
  issuerId: z.string().nullable(),
  updatedAt: storedAtSchema,
});
export type AppStoreKey = z.output<typeof appStoreKeySchema>;

/** A key's ID, as App Store Connect lists it. */
const appStoreKeyIdSchema = z
  .string()
  .trim()
  .regex(/^[A-Z0-9]{8,20}$/);

/** `keyId` and `issuerId` are required with a file. */
export const updateAppStoreKeyInput = z.strictObject({
  environmentId: idSchema,
  /** A `.p8` file of the environment; null to remove the key. */
  certificateId: idSchema.nullable(),
  keyId: appStoreKeyIdSchema.optional(),
  issuerId: z.guid().toLowerCase().optional(),
  ifUpdatedAt: ifStoredAtSchema,
});

/** The most devices of one registration. */
export const MAX_REGISTERED_AT_ONCE = 1_000;

export const startAppleRegistrationInput = z.strictObject({
  /** Whose key is used. */
  environmentId: idSchema,
  /**
   * Only the devices that the profile of this release of the environment misses; else the iPhones and iPads of nobody and of active
   * users who see the environment.
   */
  releaseId: idSchema.optional(),
});

/** Devices that are or were registered with Apple at once. */
export const appleRegistrationSchema = z.object({
  id: idSchema,
  state: z.enum(["pending", "done", "failed"]),
  total: z.int(),
  registered: z.int(),
  /** The team had them already. */
  already: z.int(),
  /** The team has them and has disabled them, so that no profile lists them. */
  disabled: z.int(),
  refused: z.int(),
  /**
   * Why it waits or ended early: `unauthorized` Apple does not take the key, `forbidden` its role does not suffice or an agreement is
   * missing, `rate_limited`, `unreachable`, `no_key` the environment has none any more, `refused` and `unexpected` an answer.
   */
  error: z
    .enum(["unauthorized", "forbidden", "rate_limited", "unreachable", "no_key", "refused", "unexpected"])
    .nullable(),
  /** In Apple's words. */
  detail: z.string().nullable(),
  /** Why Apple refused devices, in its words, with how many and the names of the first ones. */
  problems: z.array(z.object({ detail: z.string().nullable(), count: z.int(), names: z.array(z.string()) })),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type AppleRegistration = z.output<typeof appleRegistrationSchema>;

export const getAppleRegistrationsInput = listInput({
  sorts: ["-updatedAt"],
  filters: { environmentId: idSchema.optional() },
});

/** The environments that have a key, each with its last registration. */
export const appleRegistrationsOutput = listOutput(
  z.object({
    environment: z.object({ id: idSchema, name: z.string() }),
    app: z.object({ id: idSchema, name: z.string() }),
    keyId: z.string(),
    /** Whether the file of the key is active. */
    isActive: z.boolean(),
    last: appleRegistrationSchema.nullable(),
  }),
);
