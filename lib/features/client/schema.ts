import { z } from "zod";
import { versionNumberSchema } from "@/lib/features/configuration/schema";
import { MAX_VERSION, releaseSchema } from "@/lib/features/releases/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { statusSchema } from "@/lib/kernel/status-schema";
import { SCOPES } from "@/lib/permissions/scopes";

export const getLatestReleaseInput = z
  .strictObject({
    /** A kind of platform (`ios`, `android`), or the name or ID of a platform. */
    platform: z.string().trim().min(1).max(100),
    /** What is installed. */
    version: z.string().trim().min(1).max(MAX_VERSION).optional(),
    buildNumber: z.string().trim().min(1).max(MAX_VERSION).optional(),
  })
  .superRefine(({ version, buildNumber }, ctx) => {
    if (buildNumber !== undefined && version === undefined) {
      ctx.addIssue({ code: "custom", path: ["version"], message: "required", params: { code: "required" } });
    }
  });

export const latestReleaseSchema = z.object({
  /** Whether `release` is newer than what is installed. */
  updateAvailable: z.boolean(),
  /** Whether a newer release is marked as mandatory. */
  mandatory: z.boolean(),
  /** The release with the highest version; versions are compared by their numbers, then build numbers. */
  release: releaseSchema.nullable(),
  /** The page that a phone opens to install it. */
  installUrl: z.url().nullable(),
});

export const configurationInput = z.strictObject({
  /** As of which version; left out, the current one. */
  configurationVersion: z.coerce.number().pipe(versionNumberSchema).optional(),
});

/** The values of variables by their keys. A record of zod's own leaves out the key `__proto__`. */
const valuesSchema = z
  .custom<Record<string, string>>((value) => typeof value === "object" && value !== null)
  .meta({ type: "object", additionalProperties: { type: "string" } });

/** 0 before the first version. */
const configurationVersion = z.int().min(0);

export const variablesOutput = z.object({ configurationVersion, variables: valuesSchema });

const clientCertificateSchema = z.object({
  key: z.string(),
  name: z.string(),
  fileName: z.string(),
  format: z.string(),
  /** Of the file, lower-case hex. */
  sha256: z.string(),
  expirationDate: z.iso.datetime().nullable(),
  status: statusSchema,
});

const tokenPlace = {
  app: z.object({ id: idSchema, name: z.string(), identifier: z.string() }),
  environment: z.object({ id: idSchema, name: z.string() }),
};

export const clientEnvironmentInput = z.strictObject({});

export const clientEnvironmentOutput = z.object({
  ...tokenPlace,
  /** With the scopes that they imply. */
  scopes: z.array(z.enum(SCOPES)),
  /** When the token ends. */
  validUntil: z.iso.datetime(),
});

export const configurationOutput = z.object({
  ...tokenPlace,
  configurationVersion,
  /** With the scope `dev-variable:read`. */
  variables: valuesSchema.optional(),
  /** With the scope `secure-variable:read`. */
  secureVariables: valuesSchema.optional(),
  certificates: z.array(clientCertificateSchema),
});

export const certificatesOutput = z.object({
  configurationVersion,
  certificates: z.array(
    clientCertificateSchema.extend({
      /** The file, in base64. */
      value: z.base64(),
      /** Where one is kept with the file. */
      password: z.string().optional(),
    }),
  ),
});
