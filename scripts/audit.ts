import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type AuditFault, type AuditHead, type AuditVerification, verifyChain } from "@/lib/audit/chain";
import { type Checkpoint, checkpointSchema, headOf, isSigned, publicKeyText } from "@/lib/audit/checkpoint";
import { exportLines, readExport } from "@/lib/audit/export";
import { lastRecord } from "@/lib/audit/verification-state";
import { readChain, verifyAudit } from "@/lib/audit/verify";
import { makeCheckpoint, storedCheckpoints } from "@/lib/auth/audit-checkpoints";
import { databasePool, db } from "@/lib/db/client";
import { runCommand } from "./lib/run-command";
import { commandLine, Refusal, showUsage } from "./lib/usage";

const USAGE = `Verifies the audit log and lists every record that was changed, removed or moved.

usage: ${commandLine("audit")} verify [--log <file>] [--checkpoint <file>]... [--key <file>] [--head <id>:<hash>]...
       ${commandLine("audit")} export [--output <file>]
       ${commandLine("audit")} checkpoint [--output <file>]

  verify       verifies the log of the database, also against the checkpoints that the console stored.
  --log        verifies an exported log instead, without the database. "-" reads standard input.
  --checkpoint a signed checkpoint. The log must contain its head. Its signature is verified with the key that it contains,
               whose ID is printed.
  --key        the public key that must have signed the checkpoints: PEM, a JWK or the response of config/get-public-key.
  --head       a head that an earlier run printed.
  export       writes all records with the text that their hashes cover, as lines of JSON.
  checkpoint   writes a signed checkpoint of the log.
  --output     writes to this file instead of standard output, where npm prints lines of its own.

Store checkpoints or heads where nobody with write access to the database can change them: without one, a truncated or
rewritten log may not be detected.

verify exits with 0 if the log is intact, else with 1.
`;

const HEAD = /^(\d+):([0-9a-f]{64})$/;

const range = (from: string, to: string) => (from === to ? `record ${from}` : `records ${from} to ${to}`);

function describeFault(fault: AuditFault): string {
  switch (fault.fault) {
    case "changed":
      return `record ${fault.id} was changed`;
    case "reordered":
      return `record ${fault.id} is not where it was written`;
    case "removed":
      return `${range(fault.from, fault.to)} ${fault.from === fault.to ? "was" : "were"} removed`;
    case "rewritten":
      return `${range(fault.from, fault.to)} ${fault.from === fault.to ? "was" : "were"} rewritten`;
    case "checkpoint":
      return `the stored checkpoint of record ${fault.id} is not signed by this console`;
  }
}

function report({ records, faults, more, head }: AuditVerification): void {
  for (const fault of faults) process.stdout.write(`${describeFault(fault)}\n`);
  if (more) process.stdout.write("and more\n");
  process.stdout.write(`${records} records read, ${faults.length === 0 ? "all whole" : "NOT whole"}\n`);
  if (head) process.stdout.write(`head ${head.id}:${head.hash}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

/** @throws Refusal */
function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function keyOf(jwk: JsonWebKey): KeyObject[] {
  return jwk.crv === "Ed25519" ? [createPublicKey({ key: jwk, format: "jwk" })] : [];
}

/** The Ed25519 keys of a file, as checkpoints contain them. @throws Refusal */
function readKeys(file: string): string[] {
  const text = readText(file);
  try {
    if (!text.trimStart().startsWith("{")) return [publicKeyText(createPublicKey(text))];
    const json = JSON.parse(text) as JsonWebKey & { keys?: JsonWebKey[] };
    return (json.keys ?? [json]).flatMap(keyOf).map(publicKeyText);
  } catch (error) {
    throw new Refusal(`${file} contains no public key: ${(error as Error).message}`);
  }
}

/** @throws Refusal if the file contains no checkpoint with a valid signature */
function readCheckpoint(file: string, keys: readonly string[] | null): Checkpoint {
  let json: unknown;
  try {
    json = JSON.parse(readText(file));
  } catch (error) {
    if (error instanceof Refusal) throw error;
  }
  const { data } = checkpointSchema.safeParse(json);
  if (!data) throw new Refusal(`${file} is not a checkpoint of an audit log`);
  if (!isSigned(data)) throw new Refusal(`${file}: the signature is not valid; the checkpoint was changed`);
  if (keys && !keys.includes(data.publicKey)) throw new Refusal(`${file} is signed by another key, ${data.kid}`);
  process.stdout.write(
    `checkpoint of ${data.console}: ${data.records} records at ${data.createdAt}, signed by key ${data.kid}\n`,
  );
  return data;
}

interface VerifyOptions {
  log: string | undefined;
  checkpoints: readonly string[];
  key: string | undefined;
  heads: readonly AuditHead[];
}

async function verifyLog(log: string, known: readonly AuditHead[]): Promise<AuditVerification> {
  const input = log === "-" ? process.stdin : createReadStream(log);
  try {
    return await verifyChain(readExport(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })), { known });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Refusal(`${log} cannot be read: ${(error as Error).message}`);
  }
}

async function verifyDatabase(known: readonly AuditHead[]): Promise<AuditVerification> {
  const stored = await storedCheckpoints(db);
  const result = await verifyAudit(databasePool(), [...stored.heads, ...known]);
  return { ...result, faults: [...stored.faults, ...result.faults] };
}

async function verify({ log, checkpoints, key, heads }: VerifyOptions): Promise<void> {
  const keys = key === undefined ? null : readKeys(key);
  const signed = checkpoints.map((file) => headOf(readCheckpoint(file, keys))).filter((head) => head !== null);
  const known = [...heads, ...signed];
  report(log === undefined ? await verifyDatabase(known) : await verifyLog(log, known));
}

/** Runs what needs no database and no settings. */
async function runOffline(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

async function exportLog(output: string | undefined): Promise<void> {
  const lines = Readable.from(exportLines(readChain(databasePool())));
  if (output !== undefined) await pipeline(lines, createWriteStream(output));
  else await pipeline(lines, process.stdout, { end: false });
}

/** @throws Refusal if the file cannot be written */
async function writeCheckpoint(output: string | undefined): Promise<void> {
  const checkpoint = await makeCheckpoint(await lastRecord(db), new Date());
  const text = `${JSON.stringify(checkpoint, null, 2)}\n`;
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    throw new Refusal(`${output} cannot be written: ${(error as Error).message}`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    head: { type: "string", multiple: true },
    log: { type: "string" },
    checkpoint: { type: "string", multiple: true },
    key: { type: "string" },
    output: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const name = positionals.join(" ");
const matches = (values.head ?? []).map((text) => HEAD.exec(text));
if (values.help) process.stdout.write(USAGE);
else if (name === "verify" && !matches.includes(null)) {
  const heads = matches.map((match) => ({ id: match?.[1] as string, hash: match?.[2] as string }));
  const { log, checkpoint: checkpoints = [], key } = values;
  const run = () => verify({ log, checkpoints, key, heads });
  await (log === undefined ? runCommand(run) : runOffline(run));
} else if (name === "export") await runCommand(() => exportLog(values.output));
else if (name === "checkpoint") await runCommand(() => writeCheckpoint(values.output));
else showUsage(USAGE);
