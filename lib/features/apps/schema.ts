import { z } from "zod";
import { csvFormat, listInput, listOutput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema, readNameSchema } from "@/lib/kernel/name-schema";
import { statusSchema } from "@/lib/kernel/status-schema";
import { SCOPES } from "@/lib/permissions/scopes";

/** The maximum length of a bundle ID or package name, in characters. */
export const MAX_IDENTIFIER = 255;

/**
 * A bundle ID (Apple, CFBundleIdentifier) or package name (Android, application ID): parts separated by dots. One part is
 * enough, as on iOS; Android's package names have two or more.
 */
export const identifierSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_IDENTIFIER)
  .regex(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/, { error: "identifierForm" });

export const appSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** The bundle ID or package name of its installers. */
  identifier: z.string(),
  description: z.string().nullable(),
  /** Its own logo. */
  logoUrl: z.string().nullable(),
  /** The picture to show: its own logo, or the icon of its newest installer that the caller can see. */
  iconUrl: z.string().nullable(),
  status: statusSchema,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type App = z.output<typeof appSchema>;

/** An app with its counts, for administrators. */
const countedAppSchema = appSchema.extend({
  environmentCount: z.number().int(),
  releaseCount: z.number().int(),
  lastReleaseAt: z.iso.datetime().nullable(),
});

/** An app with the scopes that the caller holds for the app as a whole, in all of its environments. */
export const reachedAppSchema = appSchema.extend({ scopes: z.array(z.enum(SCOPES)) });

/** An empty string means none. */
const description = z
  .string()
  .trim()
  .max(2_000)
  .transform((text) => (text === "" ? null : text))
  .nullish();

export const createAppInput = z.strictObject({
  name: nameSchema,
  identifier: identifierSchema,
  description,
  logoFileId: idSchema.nullish(),
  status: statusSchema.default("active"),
});

/** Omitted fields are not changed; null removes the description or logo. */
export const updateAppInput = z.strictObject({
  id: idSchema,
  name: nameSchema.optional(),
  identifier: identifierSchema.optional(),
  description,
  logoFileId: idSchema.nullish(),
  status: statusSchema.optional(),
  ifUpdatedAt: ifUpdatedAtSchema,
  /** What the application must still be; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z
    .strictObject({
      name: readNameSchema.optional(),
      identifier: identifierSchema.optional(),
      description,
      status: statusSchema.optional(),
    })
    .optional(),
});

const sorts = ["name", "identifier", "createdAt"] as const;

export const getAppsInput = listInput({
  sorts: [...sorts, "status", "lastReleaseAt"],
  filters: { status: statusSchema.optional(), ...csvFormat },
});
export const getAuthorizedAppsInput = listInput({ sorts, filters: {} });

export const countedAppsOutput = listOutput(countedAppSchema);
export const appsOutput = listOutput(appSchema);
