import { z } from "zod";
import { listInput, listOutput, repeatable } from "@/lib/api/list";
import { appSchema, identifierSchema } from "@/lib/features/apps/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema, readNameSchema } from "@/lib/kernel/name-schema";
import { statusSchema } from "@/lib/kernel/status-schema";
import { unique } from "@/lib/kernel/unique";
import { SCOPES } from "@/lib/permissions/scopes";

/** The maximum number of further identifiers of one environment. */
export const MAX_IDENTIFIERS = 50;

export const environmentSchema = z.object({
  id: idSchema,
  appId: idSchema,
  name: z.string(),
  status: statusSchema,
  /** Further bundle IDs and package names that it accepts, in addition to the app's. */
  identifiers: z.array(z.string()),
  /** Its place in lists of the app's environments; lower ones come first. */
  position: z.number().int(),
  createdAt: z.iso.datetime(),
  /** When it was changed last, for `ifUpdatedAt`. */
  updatedAt: z.iso.datetime(),
});
export type Environment = z.output<typeof environmentSchema>;

/** An environment with the scopes that the caller holds there. */
const reachedEnvironmentSchema = environmentSchema.extend({ scopes: z.array(z.enum(SCOPES)) });

/** A set as a list. Duplicates are removed. */
const identifiers = z.array(identifierSchema).max(MAX_IDENTIFIERS).transform(unique);

export const createEnvironmentAppInput = z.strictObject({
  appId: idSchema,
  name: nameSchema,
  status: statusSchema.default("active"),
  identifiers: identifiers.default([]),
});

/** Omitted fields are not changed. */
export const updateEnvironmentAppInput = z.strictObject({
  id: idSchema,
  ifUpdatedAt: ifUpdatedAtSchema,
  name: nameSchema.optional(),
  status: statusSchema.optional(),
  identifiers: identifiers.optional(),
  /** What the environment must still be; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z
    .strictObject({
      name: readNameSchema.optional(),
      status: statusSchema.optional(),
      identifiers: identifiers.optional(),
    })
    .optional(),
});

/** The environments of one app. */
export const environmentsOfAppInput = listInput({
  sorts: ["position", "name", "createdAt", "status"],
  filters: {
    appId: idSchema,
    status: statusSchema.optional(),
    /** Only this environment. */
    environmentId: idSchema.optional(),
  },
});

/**
 * The environments of all apps; with `position`, by the app's name and then in the app's order. Each word of a search is
 * found in the name of the environment or of the app.
 */
export const getAuthorizedEnvironmentsInput = listInput({ sorts: ["position", "name"], filters: {} });

/** The maximum number of environments that are put in order at once. */
const MAX_REORDERED = 1_000;

/** Some environments of an app, in their new order. They take each other's places; the others stay where they are. */
export const reorderEnvironmentsInput = z.strictObject({
  appId: idSchema,
  environmentIds: z
    .array(idSchema)
    .min(1)
    .max(MAX_REORDERED)
    .refine((ids) => new Set(ids).size === ids.length, {
      error: "environmentTwice",
      params: { code: "environmentTwice" },
    }),
  /** The order of these environments as the caller knows it; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z.array(idSchema).max(MAX_REORDERED).optional(),
});

export const getEnvironmentsAppsByAppInput = z.strictObject({ appIds: repeatable(idSchema) });

export const reorderEnvironmentsOutput = z.object({ items: z.array(environmentSchema) });
export const environmentsOutput = listOutput(environmentSchema);
export const reachedEnvironmentsOutput = listOutput(reachedEnvironmentSchema);
export const getAuthorizedEnvironmentsOutput = listOutput(
  reachedEnvironmentSchema.extend({ app: z.object({ id: idSchema, name: z.string() }) }),
);
export const environmentsByAppOutput = z.object({
  items: z.array(z.object({ app: appSchema, environments: z.array(environmentSchema) })),
});

const placeSchema = z.object({
  /** The console's public URL, without a path. */
  baseUrl: z.url(),
  applicationId: idSchema,
  applicationIdentifier: z.string(),
  environmentId: idSchema,
  environmentName: z.string(),
});

/**
 * The values to copy into a server, a mobile app and the command line. They are not secret: each use needs an API
 * token of the environment, which the shell commands read from the variable `SLIPWAY_TOKEN`.
 */
export const environmentConfigurationSchema = z.object({
  server: placeSchema.extend({
    /** The environment's releases, newest first. */
    releasesUrl: z.url(),
    /** The URL to which releases are uploaded. */
    uploadUrl: z.url(),
    /** A POSIX shell command that lists the environment's releases. */
    curl: z.string(),
  }),
  mobile: placeSchema.extend({
    releasesUrl: z.url(),
    /** The header in which the app sends its identifier. */
    identifierHeader: z.string(),
    /** The bundle IDs and package names that the environment accepts, the app's own first. */
    identifiers: z.array(z.string()),
  }),
  cli: placeSchema.extend({
    uploadUrl: z.url(),
    /** A POSIX shell command that uploads `$INSTALLER` with the text `$DESCRIPTION`, for CI. */
    curl: z.string(),
  }),
});
export type EnvironmentConfiguration = z.output<typeof environmentConfigurationSchema>;

/** One environment with its app, the caller's scopes there and what is needed to connect to it. */
export const environmentDetailsSchema = reachedEnvironmentSchema.extend({
  app: appSchema,
  configuration: environmentConfigurationSchema,
});
