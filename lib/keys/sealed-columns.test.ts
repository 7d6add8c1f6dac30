import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "@/scripts/lib/files.mjs";
import { SEALED_COLUMNS } from "./sealed-columns";

/** Binary columns that are not sealed: hashes of random tokens, keyed hashes of UDIDs, and public values of WebAuthn. */
const NOT_SEALED = [
  "RecoveryCode.hash",
  "Passkey.credentialId",
  "Passkey.publicKey",
  "Session.tokenHash",
  "ShareLink.codeHash",
  "Tester.secretHash",
  "OneTimeToken.hash",
  "ApiToken.hash",
  "AppCenterUpload.secretHash",
  "CalendarFeed.secretHash",
  "ReleaseFeed.secretHash",
  "Device.udidHash",
  "InstallerFacts.deviceHashes",
  "SigningCertificate.chain",
  "PushSubscription.endpointHash",
];

it("names every binary column of the database, or it is known to hold no secret", () => {
  const schema = readFileSync(join(projectDir, "prisma", "schema.prisma"), "utf8");
  const binary = [...schema.matchAll(/^model (\w+) \{([^}]*)\}/gm)].flatMap(([, model, fields = ""]) =>
    [...fields.matchAll(/^\s+(\w+)\s+Bytes\b/gm)].map(([, field]) => `${model}.${field}`),
  );
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect([...sealed, ...NOT_SEALED].sort()).toEqual(binary.sort());
});

it("names the primary key of each table", () => {
  const schema = readFileSync(join(projectDir, "prisma", "schema.prisma"), "utf8");
  for (const { table, id } of SEALED_COLUMNS) {
    expect(schema, table).toMatch(new RegExp(`^model ${table} \\{[^}]*^\\s+${id}\\s+\\w+\\s+@id\\b`, "m"));
  }
});
