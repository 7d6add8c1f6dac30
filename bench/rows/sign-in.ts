import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { hash, verify } from "@node-rs/argon2";
import pg from "pg";
import { v7 as newId } from "uuid";
import { type PublicKeys, sealPassword } from "@/components/auth/sealed-password";
import { startBuiltServer } from "../../scripts/built-server.ts";
import { startThrowawayPostgres } from "../../scripts/throwaway-postgres.ts";
import type { Bench } from "../bench.ts";
import { watchMemory } from "../memory.ts";
import { mebibytes, median, type Row } from "../report.ts";

/** The console's own parameters (lib/auth/passwords.ts). */
const ARGON2ID = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;
/** Tries of each kind; with two kinds a thousand of them. */
const TRIES = 500;
/** Fewer tries for one account than its limit. */
const TRIES_FOR_ONE = 50;
const SIGN_INS = 40;
const AT_ONCE = 64;
const PASSWORD = "bench harbour lantern";

interface Console {
  url: string;
  pid: number;
}

const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

/** An address that no try has come from before, as a trusted proxy names it. */
function newAddress(): string {
  return `2001:db8:${randomBytes(12)
    .toString("hex")
    .replace(/(.{4})(?!$)/g, "$1:")}`;
}

/** One try to sign in. @returns its time, without the fetching of the key, and its status */
async function attempt({ url }: Console, email: string, password: string): Promise<{ time: number; status: number }> {
  const keys = (await (await fetch(`${url}/api/config/get-public-key`)).json()) as PublicKeys;
  const body = JSON.stringify({ email, password: await sealPassword(password, keys) });
  const headers = { origin: url, "content-type": "application/json", "x-forwarded-for": newAddress() };
  const begun = performance.now();
  const answer = await fetch(`${url}/api/auth/email-login`, { method: "POST", headers, body });
  await answer.arrayBuffer();
  return { time: performance.now() - begun, status: answer.status };
}

async function addUsers(database: pg.Client, count: number): Promise<string[]> {
  const passwordHash = await hash(PASSWORD, ARGON2ID);
  const emails = Array.from({ length: count }, () => `${randomUUID()}@example.test`);
  for (const email of emails) {
    await database.query(
      `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "passwordHash")
       SELECT $1, 'Tess', 'Ter', $2, "id", 'email', $3 FROM "Role" LIMIT 1`,
      [newId(), email, passwordHash],
    );
  }
  return emails;
}

/** What a right sign-in costs besides its one hash. */
async function costRow(console: Console, emails: string[]): Promise<Row> {
  const passwordHash = await hash(PASSWORD, ARGON2ID);
  const hashing: number[] = [];
  const signingIn: number[] = [];
  for (let turn = 0; turn < SIGN_INS; turn++) {
    const begun = performance.now();
    await verify(passwordHash, PASSWORD);
    hashing.push(performance.now() - begun);
    const { time, status } = await attempt(console, emails[turn % emails.length] as string, PASSWORD);
    if (status !== 200) throw new Error(`a right sign-in was answered with ${status}`);
    signingIn.push(time);
  }
  const besides = median(signingIn) - median(hashing);
  return {
    what: "signing in by e-mail, against one argon2id verification",
    measured: milliseconds(median(signingIn)),
    reference: milliseconds(median(hashing)),
    ratio: median(signingIn) / median(hashing),
    goal: "at most 10 ms besides the hash",
    met: besides <= 10,
  };
}

/** Whether the time of a refusal tells who is registered: tries for registered and made-up addresses, in turns. */
async function enumerationRow(console: Console, emails: string[], database: pg.Client): Promise<Row> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let turn = 0; turn < TRIES; turn++) {
    // The limit over all accounts would end this within its minute, and it is not what is measured.
    if (turn % 100 === 0) await database.query(`DELETE FROM "RateLimit"`);
    const registered = emails[turn % emails.length] as string;
    for (const [times, email] of [
      [known, registered],
      [unknown, `${randomUUID()}@example.test`],
    ] as const) {
      const { time, status } = await attempt(console, email, "bench harbour lighter");
      if (status !== 401) throw new Error(`a wrong password was answered with ${status}`);
      times.push(time);
    }
  }
  const difference = Math.abs(median(known) - median(unknown));
  return {
    what: `refusal for a registered address against a made-up one, ${TRIES * 2} tries`,
    measured: milliseconds(median(known)),
    reference: milliseconds(median(unknown)),
    ratio: median(known) / median(unknown),
    goal: "medians within 5 ms",
    met: difference <= 5,
  };
}

/** What the server grows by when many sign in at the same moment. */
async function memoryRow(console: Console, emails: string[]): Promise<Row> {
  const grown = watchMemory(console.pid);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, turn) => attempt(console, emails[turn % emails.length] as string, PASSWORD)),
  );
  const growth = grown();
  const failed = answers.find(({ status }) => status !== 200);
  if (failed) throw new Error(`a sign-in among ${AT_ONCE} was answered with ${failed.status}`);
  return {
    what: `memory while ${AT_ONCE} sign in at the same moment`,
    measured: `+${mebibytes(growth)}`,
    reference: null,
    ratio: null,
    goal: "at most 256 MiB for hashing",
    met: growth <= 256 * 1024 ** 2,
  };
}

/** Signing in: its cost, whether its time tells who is registered, and the memory of many at once. */
export async function signInRows({ runDir }: Bench): Promise<Row[]> {
  const folder = join(runDir, "sign-in");
  mkdirSync(join(folder, "data"), { recursive: true, mode: 0o711 });
  const postgres = await startThrowawayPostgres(folder);
  try {
    const databaseUrl = await postgres.createDatabase({ empty: true });
    const server = await startBuiltServer({
      logFile: join(folder, "server.log"),
      settings: {
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(folder, "data"),
        MASTER_KEY: randomBytes(32).toString("base64"),
        // Each try comes from an address of its own, so that no address's limit ends the measurement.
        TRUSTED_PROXIES: "127.0.0.0/8,::1",
      },
    });
    const database = new pg.Client({ connectionString: databaseUrl });
    try {
      await database.connect();
      const emails = await addUsers(database, Math.ceil((TRIES + SIGN_INS + AT_ONCE) / TRIES_FOR_ONE));
      await attempt(server, emails[0] as string, PASSWORD);
      return [
        await costRow(server, emails),
        await memoryRow(server, emails),
        await enumerationRow(server, emails, database),
      ];
    } finally {
      await database.end();
      await server.stop();
    }
  } finally {
    await postgres.destroy();
  }
}
