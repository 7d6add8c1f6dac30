import "server-only";
import { createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { connectionUrl, databaseUrlProblem, rootCertificateOf } from "./database-url";

/** 1, true, yes and on, or 0, false, no and off, in any case. */
const flagOr = (unset: "on" | "off") =>
  z
    .string()
    .default(unset)
    .refine((value) => /^(1|true|yes|on|0|false|no|off)$/i.test(value), "must be true or false")
    .transform((value) => /^(1|true|yes|on)$/i.test(value));

const flag = flagOr("off");
const postgresUrl = z.string().superRefine((url, context) => {
  const problem = databaseUrlProblem(url);
  if (problem !== undefined) context.addIssue(problem);
});

const seconds = (fallback: number) => z.coerce.number().int().min(60).max(31_536_000).default(fallback);

const kept = (fallback: number) => z.coerce.number().int().min(0).max(1_000).default(fallback);

const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#]+\/?$/, "must be http(s)://host[:port] without a path")
  .transform((value) => value.replace(/\/$/, ""));

const list = z
  .string()
  .default("")
  .transform((entries) =>
    entries
      .split(",")
      .map((entry) => entry.trim())
      .filter(Boolean),
  );

/** Returns whether an entry is a host name, an IP address or a CIDR range, such as `fd00::/8`, without port or wildcard. */
function isHostOrRange(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.split("/");
  const family = isIP(address);
  if (family === 0) return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(entry) && !/^[\d.]+$/.test(entry);
  return (
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)))
  );
}

/** Returns an Ed25519 public key from PEM (RFC 8410) or the base64url of its 32 bytes; null if it is neither. */
function readPublicKey(value: string): KeyObject | null {
  try {
    const key = value.includes("-----BEGIN PUBLIC KEY-----")
      ? // An .env file may have the line breaks as \\n.
        createPublicKey(value.replaceAll("\\n", "\n"))
      : createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: value } });
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
}

const ed25519PublicKey = z
  .string()
  .trim()
  .transform(readPublicKey)
  .refine((key) => key !== null, "must be an Ed25519 public key: PEM, or base64url of its 32 bytes")
  .transform((key) => key as KeyObject);

/** `Name <mailbox@host>` or an address. */
const mailbox = z
  .string()
  .transform((value) => /^(?:"?([^"<>\r\n]*?)"?\s*<([^<>\s@,;]+@[^<>\s@,;]+)>|([^<>\s@,;]+@[^<>\s@,;]+))$/.exec(value))
  .refine((match) => match !== null, "must be an e-mail address, or Name <address>")
  .transform((match) => ({ name: match?.[1]?.trim() ?? "", address: (match?.[2] ?? match?.[3]) as string }));

const levels = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);

const settings = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("development"),
  /** The TCP port to listen on. */
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  /** The public base URL of all links. */
  APP_URL: httpUrl.optional(),
  /** Set by `npm start`, which does not require APP_URL. */
  SLIPWAY_LOCAL: flag,
  /** Host names and addresses for which this server itself serves HTTPS. Set by `npm start -- --lan`. */
  LAN_HOSTS: list,
  /** Whether calls of the API are answered before Next sees them, which is ten times as fast, and not by its route handlers. */
  API_BEFORE_NEXT: flagOr("on"),
  DATA_DIR: z
    .string()
    .default(".data")
    .transform((path) => resolve(path)),
  DATABASE_URL: postgresUrl,
  /**
   * The database without a connection pooler, if DATABASE_URL is one in transaction mode: migrations, the queues and backups
   * need a connection of their own. By default, DATABASE_URL.
   */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  /** Whether frequent statements are prepared, which not every connection pooler supports. */
  DATABASE_PREPARED_STATEMENTS: flagOr("on"),
  /** The password of these URLs, if they contain none. */
  DATABASE_PASSWORD: z.string().optional(),
  /** Bytes that uploads to the disk store leave free for the database on the same disk; 0 if the store has its own disk. */
  DISK_RESERVE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(1024 ** 3),
  /** The folder of bundletool, Java's runtime and aapt2. By default `bundletool` in DATA_DIR; Java and aapt2 may also be on the PATH. */
  BUNDLETOOL_DIR: z.string().optional(),
  /** Where APKs are made of bundles, with room for six times the largest bundle. By default `bundles` in DATA_DIR. */
  BUNDLE_WORK_DIR: z.string().optional(),
  /** Java's heap for one bundle, in MiB. */
  BUNDLE_MEMORY_MB: z.coerce.number().int().min(128).max(16_384).default(1_024),
  /** How long one bundle may take, in seconds. */
  BUNDLE_SECONDS: z.coerce.number().int().min(10).max(1_800).default(300),
  STORAGE: z.enum(["disk", "s3"]).default("disk"),
  S3_ENDPOINT: httpUrl.optional(),
  /** The endpoint for browsers and devices, if different. */
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag,
  /** One or more base64 keys of 32 bytes, separated by commas. The first one seals, all open. */
  MASTER_KEY: z.string().optional(),
  /** The mail server. Without it, mails are written to DATA_DIR/outbox. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/?#\s]+\/?(\?\S*)?$/, "must be smtp://user:password@host:port or smtps://…")
    .refine((value) => URL.canParse(value), "must be a URL, with special characters of the password percent-encoded")
    .optional(),
  /** The sender of mails. */
  MAIL_FROM: mailbox.optional(),
  SETUP_ADMIN_EMAIL: z.email().optional(),
  SETUP_ADMIN_PASSWORD: z.string().optional(),
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(8 * 1024 ** 3),
  /** The most releases of one environment, with those in its bin. */
  MAX_RELEASES: z.coerce.number().int().min(1).default(100_000),
  /** The most share links of one environment. */
  MAX_SHARE_LINKS: z.coerce.number().int().min(1).max(1_000_000).default(100_000),
  /** The most pieces of feedback of one environment. */
  MAX_FEEDBACK: z.coerce.number().int().min(1).max(1_000_000).default(100_000),
  /** The most changes and other calls with an audit record that one user or API token makes in 24 hours. */
  MAX_DAILY_CHANGES: z.coerce.number().int().min(1).max(2_000_000_000).default(200_000),
  /** The most variables and certificates of one environment. */
  MAX_CONFIGURATION_ENTRIES: z.coerce.number().int().min(1).max(100_000).default(10_000),
  /** The most bytes that the values and files of one environment have together, as they are stored. */
  MAX_CONFIGURATION_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(64 * 1024 ** 2),
  /** The most bytes that the versions of one environment's configuration take in the database. */
  MAX_CONFIGURATION_HISTORY_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(512 * 1024 ** 2),
  SESSION_IDLE_SECONDS: seconds(3_600),
  SESSION_ABSOLUTE_SECONDS: seconds(43_200),
  /** The OpenID issuer of Sign in with Apple, for a private cloud with its own. */
  APPLE_ISSUER: httpUrl.default("https://appleid.apple.com"),
  /** App Store Connect's API, where devices are registered with Apple, for a proxy of one's own. */
  APP_STORE_CONNECT_URL: httpUrl.default("https://api.appstoreconnect.apple.com"),
  /** Whether Apple is asked (OCSP) if the certificates that sign apps are revoked. It learns their serial numbers. */
  APPLE_REVOCATION_CHECK: flag,
  /** The vendor's key, which signs licenses. Without it, no license is accepted. */
  LICENSE_PUBLIC_KEY: ed25519PublicKey.optional(),
  /** Where errors are reported to: the address of a Sentry project, with its public key. */
  SENTRY_DSN: z
    .string()
    .regex(/^https?:\/\/[^\s/@:]+@[^\s/?#@]+(\/[^\s?#]*)?\/\d+$/, "must be https://<key>@<host>/<project>")
    .optional(),
  /** Where traces are sent to, by OTLP over HTTP; without it, none are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/, "must be http(s)://host[:port], with or without a path")
    .transform((value) => value.replace(/\/$/, ""))
    .optional(),
  /** Headers for it, such as a token: `name=value`, separated by commas, with percent-encoded values. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().max(100).default("slipway"),
  /** The share of the requests and jobs that are recorded. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are trusted, separated by commas. */
  TRUSTED_PROXIES: list,
  /** Hosts, addresses or CIDR ranges outside the public internet that the server may send requests to. */
  OUTBOUND_ALLOWED_HOSTS: list.refine((entries) => entries.every(isHostOrRange), {
    error: "must be host names, IP addresses or CIDR ranges, separated by commas",
  }),
  LOG_LEVEL: levels.default("info"),
  /** Whether one line is logged for each request. */
  ACCESS_LOG: flag,
  /** The folder with the backups. */
  BACKUP_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  /** The public keys (age) that backups are encrypted for. */
  BACKUP_RECIPIENTS: list.refine((keys) => keys.every((key) => /^age1[a-z0-9]+$/.test(key)), {
    error: "must be public keys of the age format (age1…), separated by commas",
  }),
  /** When `backup schedule` makes a backup: a cron expression in UTC. */
  BACKUP_SCHEDULE: z.string().default("30 2 * * *"),
  /** How many days, weeks and months keep their newest backup. */
  BACKUP_KEEP_DAILY: kept(7),
  BACKUP_KEEP_WEEKLY: kept(4),
  BACKUP_KEEP_MONTHLY: kept(12),
});

/** Settings whose value may be in a file instead: `MASTER_KEY_FILE` is the path of the file with `MASTER_KEY`. */
export const FILE_SETTINGS = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_PASSWORD",
  "MASTER_KEY",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "SMTP_URL",
  "SETUP_ADMIN_PASSWORD",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "SENTRY_DSN",
] as const satisfies readonly (keyof z.input<typeof settings>)[];

/** The names of all settings, without the `_FILE` variants. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape);

/** The parsed settings. APP_URL and MASTER_KEY are always set, and the URLs of the database contain the password. */
export type Env = Omit<
  z.output<typeof settings>,
  "APP_URL" | "MASTER_KEY" | "DATABASE_PASSWORD" | "DATABASE_DIRECT_URL"
> & {
  DATABASE_DIRECT_URL: string;
  APP_URL: string;
  MASTER_KEY: string;
};

/** A setting is missing or invalid. The message names it and the reason. The server does not start. */
export class SettingsError extends Error {}

/** Returns the content of a file without the line break at its end. @throws SettingsError that names the setting */
function readSettingFile(name: string, path: string): string {
  try {
    return readFileSync(/* turbopackIgnore: true */ path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new SettingsError(`${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Replaces each setting with `_FILE` by the content of its file. @throws SettingsError */
function withFiles(present: Record<string, string | undefined>): Record<string, string | undefined> {
  const values = { ...present };
  for (const name of FILE_SETTINGS) {
    const path = present[`${name}_FILE`];
    if (path === undefined) continue;
    const content = readSettingFile(`${name}_FILE`, path);
    // As an empty setting, an empty file means "not set".
    if (content === "") continue;
    if (present[name] !== undefined) throw new SettingsError(`${name} and ${name}_FILE: set only one of them`);
    values[name] = content;
  }
  return values;
}

type DatabaseSetting = "DATABASE_URL" | "DATABASE_DIRECT_URL";

/** Adds the password to a database URL. @throws SettingsError if the URL has one */
function withPassword(name: DatabaseSetting, url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const parsed = new URL(url);
  if (parsed.password !== "") throw new SettingsError(`DATABASE_PASSWORD: ${name} already contains a password`);
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}

/** The URL that pg connects with. @throws SettingsError if the file of its authority cannot be read */
function databaseUrl(name: DatabaseSetting, url: string, password: string | undefined): string {
  const authority = rootCertificateOf(url);
  if (authority !== null) readSettingFile(`${name}: sslrootcert`, authority);
  return connectionUrl(withPassword(name, url, password));
}

/**
 * Parses the settings in an environment.
 * @throws SettingsError with the name of each missing or invalid setting, without its value
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // An empty value in an .env file means "not set".
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = settings.safeParse(withFiles(present));
  if (!parsed.success) {
    throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
  }
  const { APP_URL, MASTER_KEY, DATABASE_PASSWORD, ...rest } = parsed.data;
  const problems: string[] = [];
  if (!APP_URL && rest.NODE_ENV === "production" && !rest.SLIPWAY_LOCAL) {
    problems.push("APP_URL: required, the public https:// address of this console");
  }
  if (rest.STORAGE === "s3") {
    for (const name of ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const) {
      if (!rest[name]) problems.push(`${name}: required with STORAGE=s3`);
    }
  }
  if (!MASTER_KEY) problems.push("MASTER_KEY or MASTER_KEY_FILE: one is required");
  if (Boolean(rest.SETUP_ADMIN_EMAIL) !== Boolean(rest.SETUP_ADMIN_PASSWORD)) {
    problems.push("SETUP_ADMIN_EMAIL and SETUP_ADMIN_PASSWORD: set both or neither");
  }
  if (rest.SESSION_IDLE_SECONDS > rest.SESSION_ABSOLUTE_SECONDS) {
    problems.push("SESSION_IDLE_SECONDS: must not exceed SESSION_ABSOLUTE_SECONDS");
  }
  if (problems.length > 0) throw new SettingsError(problems.join("; "));
  return {
    ...rest,
    APP_URL: APP_URL ?? `http://localhost:${rest.PORT}`,
    DATABASE_URL: databaseUrl("DATABASE_URL", rest.DATABASE_URL, DATABASE_PASSWORD),
    DATABASE_DIRECT_URL: rest.DATABASE_DIRECT_URL
      ? databaseUrl("DATABASE_DIRECT_URL", rest.DATABASE_DIRECT_URL, DATABASE_PASSWORD)
      : databaseUrl("DATABASE_URL", rest.DATABASE_URL, DATABASE_PASSWORD),
    MASTER_KEY: MASTER_KEY as string,
  };
}

let parsedEnv: Env | undefined;

/** The settings, parsed on first use, so that a build without settings can import this file. */
export const env: Env = new Proxy({} as Env, {
  get(_target, name) {
    parsedEnv ??= parseEnv(process.env);
    return parsedEnv[name as keyof Env];
  },
});

/** Returns all variables of the environment, to find names that are not settings. */
export function environmentVariables(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Returns the log level; "info" if it is unset or invalid, since the log must work while other settings are rejected. */
export function logLevel(): z.output<typeof levels> {
  return levels.catch("info").parse(process.env.LOG_LEVEL);
}

/** Sets the URL at which next-auth is mounted. next-auth reads it only from the environment. */
export function setNextAuthUrl(url: string): void {
  process.env.NEXTAUTH_URL = url;
}
