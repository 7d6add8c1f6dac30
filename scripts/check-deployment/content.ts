import { makeApk } from "@slipway/installers/testing";
import { generateSync } from "otplib";
import { type Answer, anIpa, Client, IDENTIFIER } from "./client";
import type { Deployment } from "./deployment";

/** The six digits that an authenticator app shows now (RFC 6238). */
export const codeOf = (secret: string) => generateSync({ secret, algorithm: "sha256" });

/** What was put into a deployment, to look for it later. */
export interface Content {
  appId: string;
  environmentId: string;
  /** An iOS release, and the bytes of its installer. */
  release: { id: string; bytes: Buffer };
  /** An administrator with two-factor authentication. */
  operator: { email: string; password: string; totpSecret: string; recoveryCodes: string[] };
  /** The session of the operator, and one that was ended. */
  open: Client;
  ended: Client;
  token: string;
  variable: { id: string; value: string };
  certificate: { id: string; value: string };
}

/** Fills a deployment with something of everything, through the API. @throws Error */
export async function fill(deployment: Deployment): Promise<Content> {
  const { target } = deployment;
  const admin = new Client(target);
  await admin.signIn();
  const { appId, environmentId } = await admin.place();
  const publish = async (bytes: Buffer, name: string) => {
    const { status, bytes: answer, json } = await admin.uploadInParts(bytes, name);
    if (status >= 300) throw new Error(`the upload of ${name}: ${status} ${answer}`);
    return admin.must("apps/create-testing-deploy", { environmentId, fileId: json.fileId, description: "**check**" });
  };
  const bytes = anIpa(9 * 1024 * 1024);
  const { id } = await publish(bytes, "check.ipa");
  await publish(Buffer.from(await makeApk({ identifier: IDENTIFIER })), "check.apk");

  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const { token } = await admin.must("config/create-api-token", {
    ...{ name: "ci", appId, environmentId, identifiers: ["server"], validUntil },
  });
  await admin.must("config/create-role", { name: "Testers" });
  const roles: { id: string; superAdmin: boolean }[] = (await admin.get("config/get-roles")).json.items;
  const roleId = roles.find(({ superAdmin }) => superAdmin)?.id;
  const operator = { email: "operator@example.com", password: "a bicycle, a lamp and 7 pears", totpSecret: "" };
  const person = { firstNames: "Ona", lastNames: "Operator", provider: "email", roleId };
  const { invitationLink } = await admin.must("auth/register-user", { ...person, email: operator.email });
  for (let number = 1; number <= 5; number++) {
    await admin.must("auth/register-user", { ...person, email: `tester-${number}@example.com`, status: "inactive" });
  }
  admin.close();

  const open = new Client(target);
  const linkToken = /token=([^&]+)/.exec(invitationLink)?.[1] ?? "";
  await open.must("auth/update-password", { token: linkToken, password: await open.sealPassword(operator.password) });
  const ended = new Client(target);
  await ended.signIn(operator);
  await ended.must("auth/logout");
  await open.signIn(operator);
  operator.totpSecret = (await open.must("auth/enroll-two-factor")).secret;
  const code = codeOf(operator.totpSecret);
  const { recoveryCodes } = await open.must("auth/validate-two-factor-enrollment", { code });

  const variable = { id: "", value: "a secret value — ünïcode, 'quotes' and\nlines" };
  const named = { environmentId, name: "Check" };
  variable.id = (await open.must("apps/create-secure-variable", { ...named, key: "SECRET", value: variable.value })).id;
  await open.must("apps/create-development-variable", { ...named, key: "ADDRESS", value: "https://example.com" });
  const certificate = { id: "", value: deployment.certificateFile().toString("base64") };
  const file = { fileName: "check.p12", value: certificate.value, password: "check" };
  certificate.id = (await open.must("apps/create-secure-certificate", { ...named, key: "CERTIFICATE", ...file })).id;
  const client = { clientId: "check", clientSecret: "the secret of a client" };
  await open.must("config/create-github-config", client);
  await open.must("config/create-azure-config", { ...client, authority: "https://login.example.com/tenant/v2.0" });
  return {
    ...{ appId, environmentId, token, open, ended, variable, certificate },
    release: { id, bytes },
    operator: { ...operator, recoveryCodes },
  };
}

/** What a deployment has: the rows of each table as a digest, and the SHA-256 of each file in the store, by its path. */
export interface Digests {
  tables: Record<string, string>;
  files: Record<string, string>;
}

/**
 * The digests of everything that a restore has to bring back. The rows about the latest backup and sweep change with each one, and
 * PostgreSQL does not keep unlogged tables (rate limits) either. Objects of uploads that have not ended are in no backup.
 */
export function digestsOf(deployment: Deployment): Digests {
  const query = (sql: string) =>
    deployment
      .compose("exec", "-T", "db", "psql", "--username=slipway", "--no-align", "--tuples-only", "--command", sql)
      .split("\n")
      .filter(Boolean);
  const names = query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p'
     AND relname NOT IN ('_prisma_migrations', 'BackupState', 'StoreState')`,
  );
  const digest = (rows: string) =>
    `count(*) || ' ' || encode(sha256(convert_to(coalesce(string_agg(${rows}, E'\\n' ORDER BY ${rows} COLLATE "C"), ''), 'UTF8')), 'hex')`;
  const selects = [
    ...names.map((name) => `SELECT '${name}' || '=' || ${digest("t::text")} FROM "${name}" t`),
    `SELECT 'migrations=' || ${digest("migration_name || checksum")} FROM _prisma_migrations`,
  ];
  const lines = query(`SET TimeZone = 'UTC'; ${selects.join(" UNION ALL ")}`).filter((line) => line.includes("="));
  const keys = query(`SELECT "storageKey" FROM "File" WHERE "sha256" IS NOT NULL AND "state" <> 'deleting'`);
  const [store = ""] = deployment.containers("store");
  const files = deployment
    .docker(
      "exec",
      store,
      "sh",
      "-c",
      "find /objects -type f ! -path '*/.sgwtmp/*' ! -path '*/.vgwlocks/*' -exec sha256sum {} +",
    )
    .split("\n")
    .filter((line) => keys.some((key) => line.endsWith(`/${key}`)));
  return {
    tables: Object.fromEntries(lines.map((line) => line.split("=") as [string, string])),
    files: Object.fromEntries(files.map((line) => line.split("  ").reverse() as [string, string])),
  };
}

/** Names what differs between two states. */
export function differences(before: Digests, after: Digests): string[] {
  return (["tables", "files"] as const).flatMap((kind) => {
    const names = new Set([...Object.keys(before[kind]), ...Object.keys(after[kind])]);
    return [...names]
      .filter((name) => before[kind][name] !== after[kind][name])
      .map((name) => `${name}: ${before[kind][name]} → ${after[kind][name]}`);
  });
}

/** Signs in with a password and a code of the authenticator app. @throws Error */
export async function signInWithTwoFactors(client: Client, operator: Content["operator"]): Promise<Answer> {
  await client.signIn(operator);
  const halfway = await client.get("auth/get-user-profile");
  await client.must("auth/validate-two-factor", { code: codeOf(operator.totpSecret) });
  return halfway;
}
