import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { seal } from "@/lib/kernel/crypto/sealed";
import { SettingsError } from "@/lib/kernel/env";
import { setUpTestDatabase } from "@/scripts/test-database";
import { ensureServerKeys, publicKeys } from "./server-keys";

setUpTestDatabase();

it("makes one pair for passwords and one for signatures, however many instances start together", async () => {
  await Promise.all([ensureServerKeys(), ensureServerKeys(), ensureServerKeys()]);
  const keys = await publicKeys();
  expect(keys.map(({ use, alg }) => [use, alg])).toEqual([
    ["enc", "RSA-OAEP-256"],
    ["sig", "EdDSA"],
  ]);
  for (const key of keys) expect(key).not.toHaveProperty("d");
});

it("refuses to start under other master keys, and names the one that is missing", async () => {
  const other = parseMasterKeys(randomBytes(32).toString("base64"));
  const [row] = await db.serverKey.findMany();
  if (!row) throw new Error("there is no key to seal anew");
  const privateJwk = seal("{}", { table: "ServerKey", id: row.kid, column: "privateJwk" }, other);
  await db.serverKey.update({ where: { kid: row.kid }, data: { privateJwk } });
  await expect(ensureServerKeys()).rejects.toThrow(SettingsError);
  await expect(ensureServerKeys()).rejects.toThrow(other.current.id);
});
