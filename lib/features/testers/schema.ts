import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { emailSchema } from "@/lib/features/auth/schema";
import { feedbackFields } from "@/lib/features/feedback/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema } from "@/lib/kernel/name-schema";
import { unique } from "@/lib/kernel/unique";

/** How many groups an application may have, and how many members a group. */
export const MAX_GROUPS = 200;
export const MAX_MEMBERS = 100_000;
/** How many people a call may name. A file with more is imported. */
export const MAX_NAMED = 1_000;
/** The largest import, in characters and rows. */
export const MAX_IMPORT_LENGTH = 2_000_000;
export const MAX_IMPORT_ROWS = 50_000;
/** How many of the wrong rows of an import are named. */
export const MAX_NAMED_ROWS = 100;

const environmentIds = z.array(idSchema).min(1).max(500).transform(unique);
const people = {
  userIds: z.array(idSchema).max(MAX_NAMED).transform(unique).default([]),
  /** Of people without an account. Each is asked once by mail whether they agree. */
  emails: z.array(emailSchema).max(MAX_NAMED).default([]),
};

export const createTesterGroupInput = z.strictObject({
  appId: idSchema,
  name: nameSchema,
  /** Of which environments the group may be told. By default, of all in which the caller may change settings. */
  environmentIds: environmentIds.optional(),
  ...people,
});

/** Omitted fields are not changed. */
export const updateTesterGroupInput = z.strictObject({
  id: idSchema,
  name: nameSchema.optional(),
  /** Null for all environments of the application. */
  environmentIds: environmentIds.nullish(),
  ifUpdatedAt: ifUpdatedAtSchema,
});

export const testerGroupIdInput = z.strictObject({ id: idSchema });

export const testerGroupSchema = z.object({
  id: idSchema,
  appId: idSchema,
  name: z.string(),
  /** Null for all environments of the application. */
  environmentIds: z.array(idSchema).nullable(),
  /** How many members it has, and how many of them have not yet agreed. */
  members: z.int(),
  pending: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type TesterGroup = z.output<typeof testerGroupSchema>;

export const getTesterGroupsInput = listInput({ sorts: ["name", "-createdAt"], filters: { appId: idSchema } });
export const testerGroupsOutput = listOutput(testerGroupSchema);

/** `pending`: has not agreed yet · `bounced`: a mail server refused the address · `off`: does not want to be told */
export const MEMBER_STATES = ["pending", "confirmed", "bounced", "off"] as const;

const testerGroupMemberSchema = z.object({
  id: idSchema,
  /** Null for somebody without an account. */
  userId: idSchema.nullable(),
  /** Null for somebody without an account. */
  name: z.string().nullable(),
  email: z.string(),
  state: z.enum(MEMBER_STATES),
  addedAt: z.iso.datetime(),
});
export type TesterGroupMember = z.output<typeof testerGroupMemberSchema>;

export const getTesterGroupMembersInput = listInput({
  sorts: ["createdAt"],
  filters: { groupId: idSchema, state: z.enum(MEMBER_STATES).optional() },
});
export const testerGroupMembersOutput = listOutput(testerGroupMemberSchema);

export const addTesterGroupMembersInput = z
  .strictObject({ groupId: idSchema, ...people })
  .refine(({ userIds, emails }) => userIds.length + emails.length > 0, { error: "required", path: ["emails"] });

/** How many people were added, and how many were members before. */
export const addedMembersSchema = z.object({ added: z.int(), already: z.int() });

export const removeTesterGroupMemberInput = z.strictObject({ groupId: idSchema, memberId: idSchema });

export const importTesterGroupMembersInput = z.strictObject({
  groupId: idSchema,
  /** CSV (RFC 4180) with a column `email`, or without a header and the e-mail first; separated by commas, semicolons or tabs. */
  csv: z.string().min(1).max(MAX_IMPORT_LENGTH),
  /** Only says what an import would do. */
  dryRun: z.boolean().default(false),
});

export const importedMembersSchema = addedMembersSchema.extend({
  dryRun: z.boolean(),
  /** Rows with an e-mail, each counted once. */
  rows: z.int(),
  /** Rows whose e-mail another row has too. */
  repeated: z.int(),
  /** Rows without a valid e-mail; an import leaves them out. */
  invalid: z.int(),
  /** The first of them, with the number of their line. */
  invalidRows: z.array(z.object({ line: z.int(), text: z.string() })),
});

export const distributeReleaseInput = z.strictObject({
  releaseId: idSchema,
  groupIds: z.array(idSchema).min(1).max(MAX_GROUPS).transform(unique),
  /** Whether the members are told, once for each release. Otherwise, they only get access. */
  notify: z.boolean().default(true),
});

/** A distribution of a release to groups, with how far it is. */
export const distributionSchema = z.object({
  id: idSchema,
  releaseId: idSchema,
  /** A group that was deleted has no name. */
  groups: z.array(z.object({ id: idSchema, name: z.string().nullable() })),
  notify: z.boolean(),
  /** `pending` while recipients are being made. */
  state: z.enum(["pending", "done"]),
  /** How many members the groups have; null until the console has counted them. */
  total: z.int().nullable(),
  /** How many of them are recipients by now, and how many of those are told. */
  processed: z.int(),
  recipients: z.int(),
  createdAt: z.iso.datetime(),
  /** Null if the account no longer exists. */
  createdBy: z.object({ kind: z.enum(["user", "token"]), id: idSchema, name: z.string() }).nullable(),
});
export type Distribution = z.output<typeof distributionSchema>;

/**
 * `waiting`: will be told · `told` · `silent`: has access without a notice · `off`: does not want to be told · `pending`: has not agreed yet ·
 * `bounced`: a mail server refused the address · `no-access`: a user who may not read the release · `no-mail`: no mail server is set up,
 * and they have no browser that is notified. `told` is only who got a mail that a mail server accepted, or a notification.
 */
const RECIPIENT_STATES = ["waiting", "told", "silent", "off", "pending", "bounced", "no-access", "no-mail"] as const;

const releaseRecipientSchema = z.object({
  id: idSchema,
  /** Null for somebody without an account. */
  userId: idSchema.nullable(),
  name: z.string().nullable(),
  email: z.string(),
  state: z.enum(RECIPIENT_STATES),
  toldAt: z.iso.datetime().nullable(),
  openedAt: z.iso.datetime().nullable(),
  installedAt: z.iso.datetime().nullable(),
});
export type ReleaseRecipient = z.output<typeof releaseRecipientSchema>;

export const getReleaseDistributionsInput = listInput({
  sorts: ["createdAt"],
  filters: { releaseId: idSchema, state: z.enum(RECIPIENT_STATES).optional() },
});

export const releaseDistributionsOutput = listOutput(releaseRecipientSchema).extend({
  /** The latest distributions, the latest one first. */
  distributions: z.array(distributionSchema),
  /** Of all recipients of the release. */
  counts: z.object({ recipients: z.int(), told: z.int(), opened: z.int(), installed: z.int() }),
});

export const getDistributionGroupsInput = z.strictObject({ environmentId: idSchema });

export const distributionGroupsOutput = z.object({
  /** Whether a mail server is set up. Without one, only browsers with notifications are told. */
  mail: z.boolean(),
  /** The groups that may be told of releases of the environment, by name. */
  items: z.array(testerGroupSchema.pick({ id: true, name: true, members: true, pending: true })),
});

/** A browser that shows notifications of new releases. */
export const pushDeviceSchema = z.object({
  id: idSchema,
  /** The SHA-256 of the endpoint in base64url, by which a browser finds its own. */
  endpointHash: z.string(),
  /** The push service. */
  host: z.string(),
  /** The program and its operating system, if the User-Agent named them. */
  client: z.object({ program: z.string().nullable(), system: z.string().nullable() }),
  createdAt: z.iso.datetime(),
  /** When the push service last took a notification. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type PushDevice = z.output<typeof pushDeviceSchema>;

/** The longest endpoint that is kept. Those of the push services of browsers have up to about 600 characters. */
const MAX_ENDPOINT = 2_000;

const pushEndpointSchema = z.url({ protocol: /^https$/ }).max(MAX_ENDPOINT);

/** An uncompressed point on P-256 and 16 bytes, in base64url (RFC 8291). */
const pushKeysSchema = z.strictObject({
  p256dh: z.string().regex(/^B[\w-]{86}$/),
  auth: z.string().regex(/^[\w-]{22}$/),
});

/** The subscription of a browser, as its Push API gives it. */
export const createPushSubscriptionInput = z.strictObject({ endpoint: pushEndpointSchema, keys: pushKeysSchema });

export const pushSubscriptionIdInput = z.strictObject({ id: idSchema });

/**
 * What the caller is told of: the releases of the groups that `notify` is on for, by mail where `mail` is on, and in the browsers that
 * they allowed where `push` is on; and by mail of what ends, where `expiry` is on.
 */
export const notificationSettingsSchema = z.object({
  mail: z.boolean(),
  /** Whether a mail server refused the address, so that no mails of releases are sent. Turning mails on sends them again. */
  bounced: z.boolean(),
  push: z.boolean(),
  expiry: z.boolean(),
  /** The console’s key, with which a browser subscribes (VAPID, RFC 8292). */
  pushKey: z.string(),
  devices: z.array(pushDeviceSchema),
  groups: z.array(
    z.object({
      id: idSchema,
      name: z.string(),
      app: z.object({ id: idSchema, name: z.string() }),
      notify: z.boolean(),
    }),
  ),
});
export type NotificationSettings = z.output<typeof notificationSettingsSchema>;

/** Omitted settings are not changed. */
export const updateNotificationSettingsInput = z.strictObject({
  mail: z.boolean().optional(),
  push: z.boolean().optional(),
  expiry: z.boolean().optional(),
  groups: z
    .array(z.strictObject({ id: idSchema, notify: z.boolean() }))
    .max(500)
    .default([]),
});

/** The secret in the address of the page of somebody without an account. */
const secretSchema = z.string().min(1).max(200);

/** The fields by which the access is checked before the picture of feedback arrives. */
export const testerFeedbackTarget = z.object({ secret: secretSchema, releaseId: idSchema });

/** Feedback of a tester without an account on a release that was distributed to a group of theirs. */
export const testerFeedbackInput = z.strictObject({ secret: secretSchema, releaseId: idSchema, ...feedbackFields });
