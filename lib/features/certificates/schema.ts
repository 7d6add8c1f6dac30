import { CERTIFICATE_EXTENSIONS, CERTIFICATE_FORMATS, EXPIRY_STEPS, limits } from "@slipway/certificates";
import { z } from "zod";
import { isStorableInstant, listInput } from "@/lib/api/list";
import { authorSchema, entryKeySchema, entryNameSchema } from "@/lib/features/configuration/schema";
import { fileNameSchema } from "@/lib/kernel/file-name-schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifStoredAtSchema, ifUpdatedAtSchema, storedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { statusSchema } from "@/lib/kernel/status-schema";

/** The longest password of a certificate file, in UTF-16 code units. */
export const MAX_CERTIFICATE_PASSWORD = 1_000;

/** A certificate without its file and password. What the file does not tell is null. */
export const secureCertificateSchema = z.object({
  id: idSchema,
  environmentId: idSchema,
  name: z.string(),
  key: z.string(),
  fileName: z.string(),
  format: z.enum(CERTIFICATE_FORMATS),
  /** Of the file, in lowercase hexadecimal digits. */
  sha256: z.string(),
  expirationDate: z.iso.datetime().nullable(),
  /** RFC 4514. */
  subject: z.string().nullable(),
  /** RFC 4514. */
  issuer: z.string().nullable(),
  /** In lowercase hexadecimal digits. */
  serialNumber: z.string().nullable(),
  keyAlgorithm: z.string().nullable(),
  hasPrivateKey: z.boolean().nullable(),
  /** The number of certificates in the file. */
  chainLength: z.int().nullable(),
  status: statusSchema,
  /** The configuration version that changed it last. */
  version: z.int(),
  updatedAt: z.iso.datetime(),
  /** Null if the account is no more. */
  updatedBy: authorSchema.nullable(),
});
export type SecureCertificate = z.output<typeof secureCertificateSchema>;

/** A certificate with its file and password. */
export const revealedCertificateSchema = secureCertificateSchema.extend({
  /** The file, in base64. */
  value: z.string(),
  password: z.string().nullable(),
});

/** An instant, or a day in UTC. */
const expirationDateSchema = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .refine((text) => isStorableInstant(new Date(text)), { error: "date", params: { code: "invalid_format" } });

const fileSchema = {
  /** A name without folders. */
  fileName: fileNameSchema(CERTIFICATE_EXTENSIONS).min(1),
  /** The file, in base64. A longer one is answered with 413, so its length is documented and not checked here. */
  value: z
    .base64()
    .min(1)
    .meta({ maxLength: Math.ceil(limits.MAX_FILE_BYTES / 3) * 4 }),
  password: z.string().max(MAX_CERTIFICATE_PASSWORD),
  expirationDate: expirationDateSchema,
  /** Of the file, in hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/i),
};

export const createCertificateInput = z.strictObject({
  environmentId: idSchema,
  name: entryNameSchema,
  key: entryKeySchema,
  fileName: fileSchema.fileName,
  value: fileSchema.value,
  password: fileSchema.password.optional(),
  expirationDate: fileSchema.expirationDate.optional(),
  sha256: fileSchema.sha256.optional(),
  status: statusSchema.default("active"),
});

/** What is left out stays. A new file has the password that is given with it, or none. */
export const updateCertificateInput = z.strictObject({
  id: idSchema,
  ifUpdatedAt: ifUpdatedAtSchema,
  name: entryNameSchema.optional(),
  key: entryKeySchema.optional(),
  fileName: fileSchema.fileName.optional(),
  value: fileSchema.value.optional(),
  password: fileSchema.password.nullable().optional(),
  expirationDate: fileSchema.expirationDate.nullable().optional(),
  sha256: fileSchema.sha256.optional(),
  status: statusSchema.optional(),
});

export const certificateInput = z.strictObject({ id: idSchema });

/** A search looks into names and keys. */
export const certificatesInput = listInput({
  sorts: ["name", "key", "updatedAt", "expirationDate", "status"],
  filters: { environmentId: idSchema, status: statusSchema.optional() },
});

export const signingKeyInput = z.strictObject({ environmentId: idSchema });

/** The key that signs the APKs that are made of an environment's bundles. */
export const signingKeySchema = z.object({
  environmentId: idSchema,
  /** The certificate file of the environment; null if the console's own key of the application signs. */
  certificate: z.object({ id: idSchema, name: z.string(), fileName: z.string(), status: statusSchema }).nullable(),
  /** Of the key in the file. */
  alias: z.string().nullable(),
  /** Whether the key has a password of its own. */
  hasKeyPassword: z.boolean(),
  updatedAt: storedAtSchema,
});
export type SigningKey = z.output<typeof signingKeySchema>;

/** The longest alias of a key, in UTF-16 code units. */
export const MAX_ALIAS = 200;

export const updateSigningKeyInput = z.strictObject({
  environmentId: idSchema,
  /** A PKCS #12 or JKS file of the environment; null for the console's own key of the application. */
  certificateId: idSchema.nullable(),
  /** Of the key in the file. May be left out if the file has one key. */
  alias: z.string().trim().min(1).max(MAX_ALIAS).optional(),
  /** Of the key, if it is not that of the file. */
  keyPassword: z.string().min(1).max(MAX_CERTIFICATE_PASSWORD).optional(),
  ifUpdatedAt: ifStoredAtSchema,
});

export const expiringCertificatesInput = z.strictObject({});

/** The certificates in use that have expired or expire within 30 days, by date. */
export const expiringCertificatesSchema = z.object({
  items: z.array(
    z.object({
      id: idSchema,
      name: z.string(),
      app: z.object({ id: idSchema, name: z.string() }),
      environment: z.object({ id: idSchema, name: z.string() }),
      expirationDate: z.iso.datetime(),
      /** Within how many days it expires, 0 for today. */
      expires: z.union([z.literal("expired"), z.literal(EXPIRY_STEPS)]),
    }),
  ),
  total: z.int(),
});
