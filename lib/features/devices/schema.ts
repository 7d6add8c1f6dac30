import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { nameSchema } from "@/lib/kernel/name-schema";
import { normalizeUdid } from "@/lib/kernel/udid";

/** The systems of devices. */
export const DEVICE_SYSTEMS = ["ios", "ipados", "android", "desktop"] as const;
export const deviceSystemSchema = z.enum(DEVICE_SYSTEMS);
export type DeviceSystem = z.output<typeof deviceSystemSchema>;

/** How many devices one user can have. */
export const MAX_OWN_DEVICES = 100;

/** A UDID as people type or paste it. */
export const udidSchema = z
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
});
export type Device = z.output<typeof deviceSchema>;

export const deviceIdInput = z.strictObject({ id: idSchema });

/** Searched by name, model and owner, or by the whole UDID. */
export const getDevicesInput = listInput({
  sorts: ["-createdAt", "name", "lastSeenAt"],
  filters: { userId: idSchema.optional(), os: deviceSystemSchema.optional() },
});
export const devicesOutput = listOutput(deviceSchema);

export const getOwnDevicesInput = listInput({ sorts: ["-createdAt", "name"], filters: {} });

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
  platform: z.string().max(100).optional(),
  maxTouchPoints: z.number().int().min(0).max(256).optional(),
  /** Of the system, from the User-Agent Client Hints. */
  platformVersion: z.string().max(50).optional(),
  model: z.string().max(100).optional(),
});
