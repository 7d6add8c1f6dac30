import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FILE_SETTINGS, parseEnv } from "./env";

const given = { DATABASE_URL: "postgresql://localhost/x", MASTER_KEY: "k" };

describe("OUTBOUND_ALLOWED_HOSTS", () => {
  it("accepts host names, addresses and ranges", () => {
    const hosts = "gitlab.internal, 10.0.0.0/8,::1,fd00::/8,192.0.2.7, localhost";
    expect(parseEnv({ ...given, OUTBOUND_ALLOWED_HOSTS: hosts }).OUTBOUND_ALLOWED_HOSTS).toEqual(hosts.split(/, ?/));
    expect(parseEnv(given).OUTBOUND_ALLOWED_HOSTS).toEqual([]);
  });

  it.each([
    "https://gitlab.internal",
    "gitlab.internal:8080",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0/8",
    "*.internal",
    "10.0.0.256",
  ])("rejects %s with an error that names the setting", (hosts) => {
    expect(() => parseEnv({ ...given, OUTBOUND_ALLOWED_HOSTS: hosts })).toThrow(/OUTBOUND_ALLOWED_HOSTS/);
  });
});

describe("SMTP_URL and MAIL_FROM", () => {
  it("accept a server with credentials and parameters, and a sender with or without a name", () => {
    for (const SMTP_URL of [
      "smtp://mail.example.com",
      "smtps://user%40example.com:p%40ss@mail.example.com:465",
      "smtp://127.0.0.1:1025/?requireTLS=false&tls.rejectUnauthorized=false",
    ]) {
      expect(parseEnv({ ...given, SMTP_URL }).SMTP_URL).toBe(SMTP_URL);
    }
    const from = (MAIL_FROM: string) => parseEnv({ ...given, MAIL_FROM }).MAIL_FROM;
    expect(from("Acme Releases <releases@example.com>")).toEqual({
      name: "Acme Releases",
      address: "releases@example.com",
    });
    expect(from('"Acme, Inc." <releases@example.com>')).toEqual({
      name: "Acme, Inc.",
      address: "releases@example.com",
    });
    expect(from("releases@localhost")).toEqual({ name: "", address: "releases@localhost" });
    expect(parseEnv({ ...given, SMTP_URL: "", MAIL_FROM: "" }).SMTP_URL).toBeUndefined();
  });

  it.each([
    { SMTP_URL: "mail.example.com:587" },
    { SMTP_URL: "http://mail.example.com" },
    { SMTP_URL: "smtp://user:p@ss/word@mail.example.com" },
    { SMTP_URL: "smtp://mail.example.com/inbox" },
    { MAIL_FROM: "nobody" },
    { MAIL_FROM: "a@example.com, b@example.com" },
    { MAIL_FROM: "Acme\r\nBcc: spy@evil.test <a@example.com>" },
    { MAIL_FROM: "a@example.com\nBcc: b@example.com" },
  ])("are rejected with an error that names the setting and not the value: %o", (wrong) => {
    const [name, value] = Object.entries(wrong)[0] as [string, string];
    const failure = () => parseEnv({ ...given, ...wrong });
    expect(failure).toThrow(new RegExp(`^${name}: `));
    expect(failure).not.toThrow(value);
  });
});

describe("a flag", () => {
  const flagOf = (S3_FORCE_PATH_STYLE: string) => parseEnv({ ...given, S3_FORCE_PATH_STYLE }).S3_FORCE_PATH_STYLE;

  it("accepts the usual words for on and off in any case, and is off by default", () => {
    for (const on of ["1", "true", "Yes", "ON"]) expect(flagOf(on), on).toBe(true);
    for (const off of ["0", "false", "No", "OFF", ""]) expect(flagOf(off), off).toBe(false);
    expect(parseEnv(given).S3_FORCE_PATH_STYLE).toBe(false);
  });

  it.each(["ture", "2", "enabled", " true "])(
    "rejects %j with an error that names the setting and not the value",
    (value) => {
      expect(() => flagOf(value)).toThrow(/^S3_FORCE_PATH_STYLE: must be true or false$/);
    },
  );
});

describe("a setting in a file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-settings-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (content: string) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, content);
    return path;
  };

  it("has the content of the file without the line break at its end", () => {
    const valid: Record<(typeof FILE_SETTINGS)[number], string> = {
      DATABASE_URL: "postgresql://db/slipway",
      DATABASE_DIRECT_URL: "postgresql://direct/slipway",
      DATABASE_PASSWORD: "p@ss w/rd",
      MASTER_KEY: "one\ntwo",
      S3_ACCESS_KEY_ID: "slipway",
      S3_SECRET_ACCESS_KEY: "secret",
      SMTP_URL: "smtp://mail.example.com",
      SETUP_ADMIN_PASSWORD: "correct horse",
      METRICS_TOKEN: "0123456789abcdef",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20token",
      SENTRY_DSN: "https://key@sentry.example.com/1",
    };
    const files = Object.entries(valid).map(([name, value]) => [`${name}_FILE`, file(`${value}\n`)]);
    const parsed = parseEnv({ ...Object.fromEntries(files), SETUP_ADMIN_EMAIL: "a@example.com" });
    const { DATABASE_PASSWORD: _password, ...others } = valid;
    expect(parsed).toMatchObject({
      ...others,
      DATABASE_URL: "postgresql://:p%40ss%20w%2Frd@db/slipway",
      DATABASE_DIRECT_URL: "postgresql://:p%40ss%20w%2Frd@direct/slipway",
    });
  });

  it("is rejected with the setting's name if the file is missing, or if the value is set too", () => {
    const missing = join(folder, "missing");
    expect(() => parseEnv({ ...given, METRICS_TOKEN_FILE: missing })).toThrow(
      `METRICS_TOKEN_FILE: ${missing} cannot be read (ENOENT)`,
    );
    expect(() => parseEnv({ ...given, MASTER_KEY_FILE: file("k") })).toThrow(
      "MASTER_KEY and MASTER_KEY_FILE: set only one of them",
    );
  });

  it("is not set if the file is empty", () => {
    expect(parseEnv({ ...given, SMTP_URL_FILE: file("\n") }).SMTP_URL).toBeUndefined();
    const SMTP_URL = "smtp://mail.example.com";
    expect(parseEnv({ ...given, SMTP_URL, SMTP_URL_FILE: file("") }).SMTP_URL).toBe(SMTP_URL);
    expect(() => parseEnv({ DATABASE_URL: given.DATABASE_URL, MASTER_KEY_FILE: file("") })).toThrow(/^MASTER_KEY or/);
  });
});

it.each(["DATABASE_URL", "DATABASE_DIRECT_URL"] as const)("%s is refused by its name, without its value", (name) => {
  const refused = (url: string) => () => parseEnv({ ...given, [name]: url });
  expect(refused("postgresql://me:canary@s3cret@db/x")).toThrow(new RegExp(`^${name}: must be postgresql://[^;]*%40`));
  expect(refused("postgresql://me:canary@s3cret@db/x")).not.toThrow(/canary|s3cret/);
  expect(refused("postgresql://db/x?sslrootcert=/missing/ca.pem")).toThrow(
    `${name}: sslrootcert: /missing/ca.pem cannot be read (ENOENT)`,
  );
});

it("DATABASE_PASSWORD is the password of a URL without one", () => {
  const url = (DATABASE_URL: string) => parseEnv({ ...given, DATABASE_URL, DATABASE_PASSWORD: "a:b@c" }).DATABASE_URL;
  const query = "sslmode=verify-full";
  expect(url(`postgresql://me@db:5432/x?${query}`)).toBe(`postgresql://me:a%3Ab%40c@db:5432/x?${query}`);
  expect(() => url("postgresql://me:secret@db/x")).toThrow(/^DATABASE_PASSWORD: DATABASE_URL already/);
});
