import { execFile, execFileSync } from "node:child_process";
import { createPublicKey, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { acceptLicenseToken } from "@/lib/kernel/crypto/license-token";
import { parseEnv } from "@/lib/kernel/env";
import { describeWith } from "@/lib/testing/describe-with";
import { licenseClaims } from "@/lib/testing/license";
import { projectDir } from "./lib/files.mjs";

const folder = mkdtempSync(join(tmpdir(), "slipway-license-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command as `npm run license --` does, without any setting. */
async function license(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const tsx = join(projectDir, "node_modules", "tsx", "dist", "cli.mjs");
  const env = { PATH: process.env.PATH, NODE_ENV: "production" } as const;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [tsx, "scripts/license.ts", ...args], {
      cwd: projectDir,
      env,
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

/** The vendor's key as the console reads it from its settings. */
const vendorKey = (value: string) =>
  parseEnv({ DATABASE_URL: "postgresql://localhost/x", MASTER_KEY: "k", LICENSE_PUBLIC_KEY: value }).LICENSE_PUBLIC_KEY;

const NAMES = ["--business-id", "B-7", "--name", "Acme Mobile"];

describe("npm run license", () => {
  it("makes a key for vendors, and licenses that the console accepts with its public half", async () => {
    const file = join(folder, "vendor.pem");
    const keys = await license("keys", "--out", file);
    expect(keys).toMatchObject({ code: 0, out: expect.stringMatching(/^LICENSE_PUBLIC_KEY=[\w-]{43}\n$/) });
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const { out } = await license("sign", "--key", file, ...NAMES, "--days", "30");
    const key = vendorKey(keys.out.trim().split("=")[1] as string);
    const claims = await acceptLicenseToken(out.trim(), key, new Date());
    expect(claims).toMatchObject({ businessId: "B-7", licenseName: "Acme Mobile" });
    expect(claims.expiresAt.getTime() - claims.createdAt.getTime()).toBe(30 * 86_400_000);
    const pem = createPublicKey(readFileSync(file)).export({ type: "spki", format: "pem" }) as string;
    for (const value of [pem, pem.trim().replaceAll("\n", "\\n")])
      expect(vendorKey(value)?.equals(key as never)).toBe(true);
    expect((await license("keys", "--out", file)).code).toBe(1);
  });

  it.each([
    [["sign", ...NAMES, "--days", "30"], "--key is required"],
    [["sign", "--key", "KEY", ...NAMES], "either --days or --expires"],
    [["sign", "--key", "KEY", ...NAMES, "--days", "-1"], "--days"],
    [["sign", "--key", "KEY", ...NAMES, "--expires", "2020-01-01", "--from", "2021-01-01"], "before it begins"],
    [["sign", "--key", "KEY", ...NAMES, "--expires", "tomorrow"], "not an ISO 8601 date"],
    [["sign", "--key", "KEY", ...NAMES, "--expiry", "2030-01-01"], "--expiry"],
  ])("refuses %j", async (args, reason) => {
    const file = join(folder, "key.pem");
    if (args.includes("KEY")) await license("keys", "--out", file);
    const { code, out, err } = await license(...args.map((arg) => (arg === "KEY" ? file : arg)));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(reason);
  });

  it("shows its usage without a command", async () => {
    expect(await license()).toMatchObject({ code: 2, err: expect.stringContaining("npm run license -- sign") });
  });
});

describe("LICENSE_PUBLIC_KEY", () => {
  it.each(["x", randomBytes(31).toString("base64url"), "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"])(
    "is refused by name and without its value if it is no Ed25519 key: %#",
    (value) => {
      expect(() => vendorKey(value)).toThrow(/^LICENSE_PUBLIC_KEY: must be an Ed25519 public key/);
    },
  );
});

function findOpenssl(): string | Error {
  try {
    const version = execFileSync("openssl", ["version"], { encoding: "utf8" });
    return /^OpenSSL [3-9]/.test(version) ? version : new Error("OpenSSL is older than 3");
  } catch {
    return new Error("OpenSSL is not installed");
  }
}

describeWith(findOpenssl(), "OpenSSL", () => {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder });
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  it("signs a license that the console accepts, with a key of its own", async () => {
    openssl("genpkey", "-algorithm", "ed25519", "-out", "openssl.pem");
    const pem = openssl("pkey", "-in", "openssl.pem", "-pubout").toString();
    const content = `${encoded({ alg: "EdDSA" })}.${encoded(licenseClaims())}`;
    writeFileSync(join(folder, "content"), content);
    openssl("pkeyutl", "-sign", "-inkey", "openssl.pem", "-rawin", "-in", "content", "-out", "signature");
    const token = `${content}.${readFileSync(join(folder, "signature")).toString("base64url")}`;
    await expect(acceptLicenseToken(token, vendorKey(pem), new Date())).resolves.toMatchObject({
      businessId: "B-1001",
    });
  });

  it("confirms a license that the command signed", async () => {
    await license("keys", "--out", join(folder, "ours.pem"));
    openssl("pkey", "-in", "ours.pem", "-pubout", "-out", "ours.pub");
    const { out } = await license("sign", "--key", join(folder, "ours.pem"), ...NAMES, "--expires", "2099-12-31");
    const [header, payload, signature] = out.trim().split(".") as [string, string, string];
    writeFileSync(join(folder, "content"), `${header}.${payload}`);
    writeFileSync(join(folder, "signature"), Buffer.from(signature, "base64url"));
    const verify = [
      "pkeyutl",
      "-verify",
      "-pubin",
      "-inkey",
      "ours.pub",
      "-rawin",
      "-in",
      "content",
      "-sigfile",
      "signature",
    ];
    expect(openssl(...verify).toString()).toContain("Signature Verified Successfully");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      exp: Date.UTC(2099, 11, 31) / 1000,
    });
  });
});
