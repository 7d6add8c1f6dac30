import { BROWSERS, DEVICE_SYSTEMS, REASON_CODES, SEVERITIES, VERDICTS } from "@slipway/installers";
import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";

const verdictSchema = z.enum(VERDICTS);
const systemSchema = z.enum(DEVICE_SYSTEMS);
const browserSchema = z.enum(BROWSERS);

const abiSchema = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/);

/**
 * What is known of a device. `deviceId` is an enrolled device of the caller; without it, what is left out is taken from the request's
 * User-Agent and client hints, and what is not known there is not guessed.
 */
export const getInstallVerdictInput = z.strictObject({
  id: idSchema,
  /** The code of a share link that opens the release, for callers who are not signed in. */
  share: z.string().min(1).max(200).optional(),
  deviceId: idSchema.optional(),
  os: systemSchema.optional(),
  /** A version of iOS ("17.5.1"), or an API level of Android ("34"). */
  osVersion: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3}){0,2}$/)
    .optional(),
  /** Such as "iPhone15,2"; of Android, the name that the device reports. */
  model: z
    .string()
    .max(100)
    .regex(/^[\x20-\x7e]*$/)
    .optional(),
  /** Android's names of what it runs, such as "arm64-v8a"; repeatable. */
  abis: z.union([abiSchema.transform((abi) => [abi]), z.array(abiSchema).max(16)]).optional(),
  browser: browserSchema.optional(),
});

const reasonSchema = z.object({
  /** Stable; `packages/installers/src/verdict` has the rule of each. */
  code: z.enum(REASON_CODES),
  severity: z.enum(SEVERITIES),
  /** Values for words, such as the version that is needed. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** What it is, in the caller's language. */
  title: z.string(),
  /** Why. */
  detail: z.string(),
  /** What to do next, in its order. */
  steps: z.array(z.string()),
});

/** A device as it was judged. Values that are null, and lists that are empty, are not known. */
const judgedDeviceSchema = z.object({
  os: systemSchema,
  osVersion: z.string().nullable(),
  model: z.string().nullable(),
  browser: browserSchema.nullable(),
  abis: z.array(z.string()),
  deviceId: idSchema.nullable(),
});

/** Whether a release installs on a device, why not, and what is to be done. */
export const installVerdictSchema = z.object({
  verdict: verdictSchema,
  /** Null where it does not install, and on computers. */
  way: z.enum(["itms-services", "apk"]).nullable(),
  /** What blocks comes first, then what is not known, then steps and notes. */
  reasons: z.array(reasonSchema),
  device: judgedDeviceSchema,
});

export const getInstallMatrixInput = z.strictObject({ id: idSchema });

/** How a release installs on the devices of the people of its environment. */
export const installMatrixSchema = z.object({
  items: z.array(
    z.object({
      device: z.object({
        os: systemSchema,
        osVersion: z.string().nullable(),
        model: z.string().nullable(),
        /** Whether the profile lists the devices; null if that is not known, or it lists none by its type. */
        registered: z.boolean().nullable(),
      }),
      verdict: verdictSchema,
      /** The codes of what blocks, or is not known. */
      codes: z.array(z.enum(REASON_CODES)),
      /** Devices that are alike; 0 if only openings of releases tell of them. */
      devices: z.int(),
      /** The owners of these devices. */
      people: z.int(),
    }),
  ),
  /** Enrolled devices of people who were told of releases of the environment, or downloaded them. */
  total: z.int(),
  /** How many of them there are of each verdict. */
  verdicts: z.record(verdictSchema, z.int()),
});
export type InstallMatrix = z.output<typeof installMatrixSchema>;
