import { z } from "zod";
import { idSchema } from "./ids-schema";
import { RULE_NAMES } from "./rule-names";

const named = z.strictObject({ id: idSchema, name: z.string() });

/** A release as events name it. */
const releaseFacts = z.strictObject({
  id: idSchema,
  version: z.string(),
  buildNumber: z.string(),
  /** The bundle ID or package name. */
  identifier: z.string(),
  displayName: z.string(),
  platform: z.enum(["ios", "android", "other"]),
});

const ofRelease = { app: named, environment: named, release: releaseFacts };

/** Who caused an event: a user, an API token, or neither. */
const cause = z.strictObject({ userId: idSchema.nullable(), tokenId: idSchema.nullable() });

const url = z.url();

const downloadStarted = z.strictObject({
  ...ofRelease,
  /** Null for somebody who has an installation link. */
  userId: idSchema.nullable(),
  url,
});

/**
 * The types of events, each with the schema of its `data`. Only administrators choose where events go, so `data` may name
 * anything that an administrator sees, and never a secret.
 */
export const EVENT_DATA = {
  "release.published": z.strictObject({
    ...ofRelease,
    description: z.string(),
    mandatory: z.boolean(),
    /** Bytes. */
    size: z.int(),
    by: cause,
    /** The page from which it is installed. */
    url,
  }),
  "release.deleted": z.strictObject({ ...ofRelease, by: cause }),
  "release.distributed": z.strictObject({
    ...ofRelease,
    groups: z.array(named),
    /** How many people are told. */
    recipients: z.int(),
    by: cause,
    url,
  }),
  /** A device has begun to download a release to install it. The console cannot know whether it was installed. */
  "release.download-started": downloadStarted,
  /** The former name of `release.download-started`, for webhooks that chose it. */
  "release.installed": downloadStarted,
  "rule.violated": z.strictObject({
    app: named,
    environment: named,
    build: releaseFacts.omit({ id: true }),
    /** The release that was published all the same; null if the build was refused. */
    releaseId: idSchema.nullable(),
    /** `overridden`: a rule refuses such builds, and somebody who may change the rules published it. */
    outcome: z.enum(["refused", "warned", "overridden"]),
    /** The rules that the build breaks, with what was found. */
    rules: z.array(
      z.strictObject({
        rule: z.enum(RULE_NAMES),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
    by: cause,
    /** The page of the release, or of the releases of the environment. */
    url,
  }),
  "device.enrolled": z.strictObject({
    device: z.strictObject({
      id: idSchema,
      name: z.string(),
      os: z.string(),
      /** An iOS version or an Android API level; null if it is not known. */
      osVersion: z.string().nullable(),
      model: z.string().nullable(),
      modelName: z.string().nullable(),
      /** Whether it has a UDID, which the event does not tell. */
      hasUdid: z.boolean(),
      attested: z.boolean(),
    }),
    user: z.strictObject({ id: idSchema, email: z.string() }),
    url,
  }),
  "feedback.created": z.strictObject({
    ...ofRelease,
    feedback: z.strictObject({
      id: idSchema,
      text: z.string(),
      rating: z.int().nullable(),
      hasScreenshot: z.boolean(),
    }),
    userId: idSchema.nullable(),
    url,
  }),
  "certificate.expiring": z.strictObject({
    app: named,
    environment: named,
    certificate: named,
    expirationDate: z.iso.datetime(),
    /** Days until then; 0 for today. */
    days: z.int(),
    url,
  }),
  "token.expiring": z.strictObject({
    app: named,
    environment: named,
    /** The name and the ID of the API token. */
    token: named,
    validUntil: z.iso.datetime(),
    /** Days until then; 0 for today. */
    days: z.int(),
    url,
  }),
  "user.invited": z.strictObject({
    user: z.strictObject({ id: idSchema, email: z.string() }),
    role: named,
    by: cause,
    url,
  }),
} as const;

/** A type of event that an operation or a job emits. Each audit record is another event, of the type `audit.<action>`. */
export type EventType = keyof typeof EVENT_DATA;
export const EVENT_TYPES = Object.keys(EVENT_DATA) as EventType[];

/** Types of events that new webhooks do not choose, because another type has replaced them. */
export const FORMER_EVENT_TYPES: readonly EventType[] = ["release.installed"];

/** The data of an event. */
export type EventData<T extends EventType = EventType> = z.output<(typeof EVENT_DATA)[T]>;

/** An event that a change causes. */
export type ConsoleEvent = {
  [T in EventType]: {
    type: T;
    /** The application that it belongs to; null if there is none. Events of one application are delivered in order. */
    appId: string | null;
    data: EventData<T>;
  };
}[EventType];

/** What the types of the events of audit records begin with. */
export const AUDIT_PREFIX = "audit.";

/** The data of the event `audit.<action>`: the record, without the values that changed. */
export const auditEventData = z.strictObject({
  /** The number of the record. */
  id: z.string(),
  table: z.string(),
  recordId: z.string().nullable(),
  action: z.string(),
  eventDate: z.iso.datetime(),
  userId: idSchema.nullable(),
  tokenId: idSchema.nullable(),
  ip: z.string().nullable(),
  requestId: z.string(),
});

/** An action of an audit record. */
const AUDIT_ACTION = /^[a-z][a-z0-9-]{0,49}$/;

/** Whether a text is a type of event, or `audit.<action>`. */
export function isEventType(text: string): boolean {
  if (text.startsWith(AUDIT_PREFIX)) return AUDIT_ACTION.test(text.slice(AUDIT_PREFIX.length));
  return Object.hasOwn(EVENT_DATA, text);
}
