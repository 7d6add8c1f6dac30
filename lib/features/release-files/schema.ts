import { mappingFactsSchema, symbolImageSchema } from "@slipway/installers";
import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { MAX_FILE_NAME_BYTES, safeFileName } from "@/lib/kernel/file-name";
import { idSchema } from "@/lib/kernel/ids-schema";

/** How many further files a release has at most. */
export const MAX_RELEASE_FILES = 100;
/** How many images and programs an answer names; it counts all. */
export const LISTED_IMAGES = 200;

/** `dsym` is a ZIP archive of dSYM bundles, `mapping` a mapping file of R8 or ProGuard, `other` any file. */
export const RELEASE_FILE_KINDS = ["dsym", "mapping", "other"] as const;
export type ReleaseFileKind = (typeof RELEASE_FILE_KINDS)[number];
const kindSchema = z.enum(RELEASE_FILE_KINDS);

export const createReleaseFileInput = z.strictObject({
  releaseId: idSchema,
  /** Of a finished upload that was begun with the purpose `attachment`. */
  fileId: idSchema,
  kind: kindSchema,
  /** The name of the download, without a path. */
  name: z
    .string()
    .overwrite((text) => text.normalize("NFC").replace(/ +/g, " ").trim())
    .min(1)
    .max(MAX_FILE_NAME_BYTES)
    .refine((name) => safeFileName(name) === name, { error: "fileNameForm", params: { code: "invalid_format" } }),
});

export const releaseFileIdInput = z.strictObject({ id: idSchema });

export const getReleaseFilesInput = listInput({
  sorts: ["-createdAt"],
  filters: { releaseId: idSchema, kind: kindSchema.optional() },
});

/** A further file of a release. */
const releaseFileSchema = z.object({
  id: idSchema,
  releaseId: idSchema,
  kind: kindSchema,
  name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** SHA-256 of the whole file, lower-case hex. */
  sha256: z.string(),
  createdAt: z.iso.datetime(),
  /** Null if the account no longer exists. */
  createdBy: z.object({ kind: z.enum(["user", "token"]), id: idSchema, name: z.string() }).nullable(),
  /** Whether the caller may download it: symbols need the right to publish there. */
  mayDownload: z.boolean(),
  /** Of dSYM bundles: what they have symbols for. Null for other files. */
  symbols: z
    .object({
      /** How many images there are, and how many of them belong to a program of the build; null if its programs are not known. */
      images: z.number().int(),
      matched: z.number().int().nullable(),
      /** At most 200, those of the build first. */
      items: z.array(symbolImageSchema.extend({ matched: z.boolean().nullable() })),
    })
    .nullable(),
  /** What the header of a mapping file says. Null for other files. */
  mapping: mappingFactsSchema.nullable(),
});
export type ReleaseFile = z.output<typeof releaseFileSchema>;

/** The answer to a creation. `repeated` is set if the release had the same bytes already. */
export const createdReleaseFileSchema = releaseFileSchema.extend({ repeated: z.literal(true).optional() });

export const releaseFilesOutput = listOutput(releaseFileSchema).extend({
  /** Of an `.ipa`: which of its programs have symbols. Null for other installers. */
  symbols: z
    .object({
      /** `pending` until the console has read the programs of the build; `unknown` if it cannot. */
      state: z.enum(["known", "pending", "unknown"]),
      /** How many programs there are, each architecture on its own, and how many of them have no symbols. */
      programs: z.number().int(),
      missing: z.number().int(),
      /** At most 200 programs without symbols. */
      missingItems: z.array(symbolImageSchema),
    })
    .nullable(),
});
export type ReleaseFiles = z.output<typeof releaseFilesOutput>;
