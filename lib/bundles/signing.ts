import "server-only";
import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { runLimited } from "./limited-process";
import type { BundleTools } from "./tools";

/** The name of the key in the files that the console makes. */
const OWN_ALIAS = "slipway";
const KEYTOOL_LIMITS = { timeoutMs: 60_000, memoryBytes: 512 * 1024 ** 2, diskBytes: 16 * 1024 ** 2 };

/** A key that signs APKs, with the passwords that open it. */
export interface SigningKey {
  /** Whose it is. */
  of: "environment" | "app";
  /** PKCS #12 or JKS. */
  keystore: Uint8Array;
  alias: string;
  password: string;
  keyPassword: string;
}

async function environmentKey(db: Db, environmentId: string): Promise<SigningKey | null> {
  const [row] = await queryRows<{
    id: string;
    value: Uint8Array;
    password: Uint8Array | null;
    alias: string;
    keyPassword: Uint8Array | null;
  }>(
    db,
    sql`
      SELECT c."id", c."value", c."password", k."alias", k."keyPassword" FROM "EnvironmentSigningKey" k
      JOIN "SecureCertificate" c ON c."id" = k."certificateId"
      WHERE k."environmentId" = ${environmentId}::uuid AND c."status" = 'active'`,
  );
  if (!row) return null;
  const certificate = { table: "SecureCertificate", id: row.id };
  const password = row.password ? unseal(row.password, { ...certificate, column: "password" }).toString() : "";
  const ofKey = { table: "EnvironmentSigningKey", id: environmentId, column: "keyPassword" };
  return {
    of: "environment",
    keystore: unseal(row.value, { ...certificate, column: "value" }),
    alias: row.alias,
    password,
    keyPassword: row.keyPassword ? unseal(row.keyPassword, ofKey).toString() : password,
  };
}

async function appKey(db: Db, appId: string): Promise<SigningKey | null> {
  const row = await db.appSigningKey.findUnique({ where: { appId } });
  if (!row) return null;
  const place = { table: "AppSigningKey", id: appId };
  const password = unseal(row.password, { ...place, column: "password" }).toString();
  const keystore = unseal(row.keystore, { ...place, column: "keystore" });
  return { of: "app", keystore, alias: OWN_ALIAS, password, keyPassword: password };
}

/** Makes a key for an application: RSA with 3,072 bits, valid for 30 years, as Android requires of keys that sign for long. */
async function makeAppKey(
  db: Db,
  appId: string,
  tools: BundleTools,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const password = randomBytes(24).toString("base64url");
  const [file, passwordFile] = [join(folder, "new-key.p12"), join(folder, "new-key.password")];
  await writeFile(passwordFile, password, { mode: 0o600 });
  const end = await runLimited(
    tools.keytool,
    [
      ...["-genkeypair", "-keystore", file, "-storetype", "PKCS12", "-storepass:file", passwordFile],
      ...["-alias", OWN_ALIAS, "-keyalg", "RSA", "-keysize", "3072", "-validity", "10950", "-dname", "CN=Slipway"],
    ],
    { folder, limits: KEYTOOL_LIMITS, signal },
  );
  if (end.code !== 0) throw new Error(`keytool ended with ${end.code}: ${end.output.slice(0, 500)}`);
  await chmod(file, 0o600);
  const place = { table: "AppSigningKey", id: appId };
  await queryRows(
    db,
    // Of two instances that make one at the same moment, the first one's stays.
    sql`
      INSERT INTO "AppSigningKey" ("appId", "keystore", "password", "createdAt")
      SELECT a."id", ${seal(await readFile(file), { ...place, column: "keystore" })},
        ${seal(password, { ...place, column: "password" })}, now() FROM "App" a WHERE a."id" = ${appId}::uuid
      ON CONFLICT DO NOTHING`,
  );
}

/** The key that signs the APKs of an environment: its own, or that of its application, which is made for the first one. */
export async function signingKeyOf(
  db: Db,
  { appId, environmentId }: { appId: string; environmentId: string },
  { tools, folder, signal }: { tools: BundleTools; folder: string; signal: AbortSignal },
): Promise<SigningKey> {
  const existing = (await environmentKey(db, environmentId)) ?? (await appKey(db, appId));
  if (existing) return existing;
  await makeAppKey(db, appId, tools, folder, signal);
  const made = await appKey(db, appId);
  if (!made) throw new Error("the application was deleted");
  return made;
}
