import { REASON_CODES, SEVERITIES, VERDICTS } from "@slipway/installers";
import { z } from "zod";
import { isStorableInstant, listInput, listOutput } from "@/lib/api/list";
import { feedbackFields } from "@/lib/features/feedback/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema } from "@/lib/kernel/name-schema";

/** The length of a password, in characters. Guesses are limited for each link and network. */
const MIN_LINK_PASSWORD = 4;
export const MAX_LINK_PASSWORD = 200;
export const MAX_INSTALLS = 100_000;

/** Why a link no longer opens. */
const LINK_ENDS = ["expired", "used-up", "release-deleted", "inactive"] as const;
export type LinkEnd = (typeof LINK_ENDS)[number];

const endSchema = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine(isStorableInstant, { error: "date", params: { code: "invalid_format" } });

/** The password of a link. */
export const linkPasswordSchema = z.string().min(MIN_LINK_PASSWORD).max(MAX_LINK_PASSWORD);
const maxInstallsSchema = z.number().int().min(1).max(MAX_INSTALLS);

/** Either `releaseId`, or `environmentId` for always the latest release, of one platform or of the platform of each device. */
export const createShareLinkInput = z
  .strictObject({
    releaseId: idSchema.optional(),
    environmentId: idSchema.optional(),
    platformId: idSchema.optional(),
    name: nameSchema,
    password: linkPasswordSchema.nullish(),
    expiresAt: endSchema.refine((end) => end > new Date(), { error: "inThePast", abort: true }).nullish(),
    /** How many times it installs or downloads. */
    maxInstalls: maxInstallsSchema.nullish(),
    /** Computers get a QR code and no file. */
    onlyPhones: z.boolean().default(false),
    showNotes: z.boolean().default(true),
  })
  .superRefine(({ releaseId, environmentId, platformId }, context) => {
    if ((releaseId === undefined) === (environmentId === undefined))
      context.addIssue({ code: "custom", path: ["releaseId"], message: "shareLinkTarget" });
    if (releaseId !== undefined && platformId !== undefined)
      context.addIssue({ code: "custom", path: ["platformId"], message: "shareLinkTarget" });
  });

/** Omitted fields are not changed; null removes the password or the limit. A link ends at `expiresAt`, which may be now. */
export const updateShareLinkInput = z.strictObject({
  id: idSchema,
  name: nameSchema.optional(),
  password: linkPasswordSchema.nullish(),
  expiresAt: endSchema.nullish(),
  maxInstalls: maxInstallsSchema.nullish(),
  onlyPhones: z.boolean().optional(),
  showNotes: z.boolean().optional(),
  ifUpdatedAt: ifUpdatedAtSchema,
});

export const shareLinkIdInput = z.strictObject({ id: idSchema });

const named = z.object({ id: idSchema, name: z.string() });

export const shareLinkSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** 128 random bits in base64url. */
  code: z.string(),
  url: z.url(),
  /** The QR code of `url`, an image for callers who may see the link. */
  qrUrl: z.url(),
  app: named,
  environment: named,
  /** Null if it follows the latest release, or its release was deleted. */
  release: z.object({ id: idSchema, displayName: z.string(), version: z.string(), buildNumber: z.string() }).nullable(),
  /** Whether it always opens the latest release. */
  followsLatest: z.boolean(),
  platform: named.nullable(),
  hasPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  maxInstalls: z.number().int().nullable(),
  onlyPhones: z.boolean(),
  showNotes: z.boolean(),
  /** How many times its page was opened. */
  opened: z.number().int(),
  /** How many times it was installed or downloaded from. */
  installed: z.number().int(),
  /** Null while it opens. */
  ended: z.enum(LINK_ENDS).nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Null if the account no longer exists. */
  createdBy: z.object({ kind: z.enum(["user", "token"]), id: idSchema, name: z.string() }).nullable(),
});
export type ShareLink = z.output<typeof shareLinkSchema>;

/** The links of a release, of an environment, or of an application in the environments in which the caller may change releases. */
export const getShareLinksInput = listInput({
  sorts: ["-createdAt", "name"],
  filters: { environmentId: idSchema.optional(), releaseId: idSchema.optional(), appId: idSchema.optional() },
}).refine(
  ({ environmentId, releaseId, appId }) =>
    environmentId !== undefined || releaseId !== undefined || appId !== undefined,
  { error: "shareLinkPlace", path: ["environmentId"] },
);
export const shareLinksOutput = listOutput(shareLinkSchema);

/** A code as a visitor presents it. One of another form belongs to no link. */
const codeSchema = z.string().min(1).max(200);

export const openShareLinkInput = z.strictObject({ code: codeSchema });
export const unlockShareLinkInput = z.strictObject({ code: codeSchema, password: z.string().min(1).max(1_000) });

/** How a device installs: by the link that iOS opens, or by the file. */
const waySchema = z.enum(["itms-services", "download"]);
export const beginShareLinkInstallInput = z.strictObject({
  code: codeSchema,
  /** By default, what the browser's device needs. */
  way: waySchema.optional(),
});

/** What starts an installation. It opens nothing else, and not the link. */
export const shareLinkInstallSchema = z.object({ url: z.string(), way: waySchema, expiresAt: z.iso.datetime() });

/** The field by which a link is checked before the picture of feedback arrives. */
export const shareLinkFeedbackTarget = z.object({ code: codeSchema });

/** Feedback on what a link opens. A version and build number say which release, if the link has opened another one since. */
export const shareLinkFeedbackInput = z
  .strictObject({
    code: codeSchema,
    version: z.string().min(1).max(100).optional(),
    buildNumber: z.string().min(1).max(100).optional(),
    ...feedbackFields,
  })
  .refine(({ version, buildNumber }) => (version === undefined) === (buildNumber === undefined), {
    error: "versionAndBuild",
    path: ["buildNumber"],
  });

const reasonSchema = z.object({
  /** Stable; `packages/installers/src/verdict` has the rule of each. */
  code: z.enum(REASON_CODES),
  severity: z.enum(SEVERITIES),
  /** Values for words, such as the version that is needed. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** What the page of a link shows to the device that asks. */
export const openedShareLinkSchema = z.object({
  /** Null while nothing has been published that it would open. */
  release: z
    .object({
      displayName: z.string(),
      version: z.string(),
      buildNumber: z.string(),
      platform: z.enum(["ios", "android", "other"]),
      /** Bytes. */
      size: z.number().int(),
      publishedAt: z.iso.datetime(),
      /** An iOS version or an Android API level. */
      minOs: z.string().nullable(),
      iconUrl: z.string().nullable(),
      /** HTML that is safe to insert into a page; null where the link does not show the release notes. */
      notesHtml: z.string().nullable(),
    })
    .nullable(),
  /** Whether it installs on the device of this browser, why not, and what is to be done. */
  install: z
    .object({
      verdict: z.enum(VERDICTS),
      /** Null where it does not install, and on computers. */
      way: z.enum(["itms-services", "apk"]).nullable(),
      /** What blocks comes first, then what is not known, then steps and notes. */
      reasons: z.array(reasonSchema),
    })
    .nullable(),
  url: z.url(),
  onlyPhones: z.boolean(),
  hasPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
});
