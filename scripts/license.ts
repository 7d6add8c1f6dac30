import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SignJWT } from "jose";
import { Refusal, showUsage } from "./lib/usage";

const USAGE = `Makes licenses, for vendors of the console and for tests. It needs neither the console's settings nor its database.

usage: npm run license -- keys --out <file>
       npm run license -- sign --key <file> --business-id <ID> --name <name> (--days <number> | --expires <date>) [--from <date>]

  keys   writes a new Ed25519 private key (PEM) to a file that does not exist yet, and prints the public key for the setting
         LICENSE_PUBLIC_KEY
  sign   prints a license token (a JWT, signed with EdDSA) for update-license. Dates are ISO 8601; a date without a time is its
         first instant in UTC. The license begins now unless --from is given.
`;

const OPTIONS = {
  key: { type: "string" },
  out: { type: "string" },
  "business-id": { type: "string" },
  name: { type: "string" },
  days: { type: "string" },
  expires: { type: "string" },
  from: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

function required(values: Values, name: "key" | "out" | "business-id" | "name"): string {
  const value = values[name]?.trim();
  if (!value) throw new Refusal(`--${name} is required`);
  return value;
}

/** Returns an option's date in Unix seconds. */
function secondsOf(option: string, value: string): number {
  const milliseconds = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw new Refusal(`--${option}: ${value} is not an ISO 8601 date`);
  return Math.floor(milliseconds / 1000);
}

function endOf({ days, expires }: Values, from: number): number {
  if ((days === undefined) === (expires === undefined)) throw new Refusal("give either --days or --expires");
  if (expires !== undefined) return secondsOf("expires", expires);
  if (!/^[1-9]\d{0,5}$/.test(days as string)) throw new Refusal("--days must be a whole number of at least 1");
  return from + Number(days) * 86_400;
}

function makeKeys(values: Values): void {
  const file = required(values, "out");
  if (existsSync(file)) throw new Refusal(`${file} exists; a key is never overwritten`);
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  process.stdout.write(`LICENSE_PUBLIC_KEY=${publicKey.export({ format: "jwk" }).x}\n`);
}

async function sign(values: Values): Promise<void> {
  const key = createPrivateKey(readFileSync(required(values, "key"), "utf8"));
  if (createPublicKey(key).asymmetricKeyType !== "ed25519") throw new Refusal("--key must be an Ed25519 private key");
  const from = values.from === undefined ? Math.floor(Date.now() / 1000) : secondsOf("from", values.from);
  const end = endOf(values, from);
  if (end <= from) throw new Refusal("the license ends before it begins");
  const claims = { business_id: required(values, "business-id"), license_name: required(values, "name") };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT" })
    .setIssuedAt(from)
    .setExpirationTime(end)
    .sign(key);
  process.stdout.write(`${token}\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  if (values.help) process.stdout.write(USAGE);
  else if (positionals.join(" ") === "keys") makeKeys(values);
  else if (positionals.join(" ") === "sign") await sign(values);
  else showUsage(USAGE);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
