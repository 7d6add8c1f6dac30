import { describe, expect, it } from "vitest";
import { parseEnv } from "./env";

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
