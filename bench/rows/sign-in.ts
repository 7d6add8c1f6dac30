import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { hash, verify } from "@node-rs/argon2";
import pg from "pg";
import { v7 as newId } from "uuid";
import { type PublicKeys, sealPassword } from "@/lib/client/sealed-password";
import { startBuiltServer } from "../../testing/built-server.ts";
import { startThrowawayPostgres } from "../../testing/throwaway-postgres.ts";
import type { Bench } from "../bench.ts";
import { watchMemory } from "../memory.ts";
import { compared, mebibytes, median, milliseconds, type Row } from "../report.ts";

/** The console's own parameters (lib/auth/passwords.ts). */
const ARGON2ID = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;
/** Attempts for registered and for unknown addresses, each. */
const ATTEMPTS = 500;
/** Attempts per account, below its rate limit. */
const ATTEMPTS_PER_ACCOUNT = 50;
const SIGN_INS = 40;
/** The first sign-ins of a process, which V8 has not compiled yet, are not counted. */
const WARM_UP = 20;
const CONCURRENT_SIGN_INS = 64;
/** What a sign-in needs at least besides its hash. */
const STATEMENTS = 3;
const COST_GOAL = 1.15;
const DIFFERENCE_GOAL = 0.05;
const PASSWORD = "bench harbour lantern";

interface Console {
  url: string;
  pid: number;
}

/** Returns a random IPv6 address for X-Forwarded-For. */
function newAddress(): string {
  return `2001:db8:${randomBytes(12)
    .toString("hex")
    .replace(/(.{4})(?!$)/g, "$1:")}`;
}

/** Attempts to sign in. @returns the status, and the time in milliseconds without fetching the public key */
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

/** Measures a successful sign-in, compared with one hash verification and three statements. */
async function costRow(console: Console, emails: string[], database: pg.Client): Promise<Row> {
  const passwordHash = await hash(PASSWORD, ARGON2ID);
  const hashing: number[] = [];
  const signingIn: number[] = [];
  for (let turn = -WARM_UP; turn < SIGN_INS; turn++) {
    const email = emails[(turn + WARM_UP) % emails.length] as string;
    const begun = performance.now();
    await verify(passwordHash, PASSWORD);
    for (let statement = 0; statement < STATEMENTS; statement++) {
      await database.query(`SELECT * FROM "User" WHERE "email" = $1`, [email]);
    }
    const hashed = performance.now() - begun;
    const { time, status } = await attempt(console, email, PASSWORD);
    if (status !== 200) throw new Error(`a correct sign-in returned ${status}`);
    if (turn < 0) continue;
    hashing.push(hashed);
    signingIn.push(time);
  }
  return compared("signing in by e-mail", {
    measured: median(signingIn),
    reference: median(hashing),
    of: `one argon2id verification and ${STATEMENTS} statements`,
    format: milliseconds,
    goal: { most: COST_GOAL },
  });
}

/** Measures whether the time of a refusal reveals registered addresses, with alternating attempts for registered and unknown ones. */
async function enumerationRow(console: Console, emails: string[], database: pg.Client): Promise<Row> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let turn = 0; turn < ATTEMPTS; turn++) {
    // Resets the limit over all accounts, which would stop the measurement.
    if (turn % 100 === 0) await database.query(`DELETE FROM "RateLimit"`);
    const registered = emails[turn % emails.length] as string;
    for (const [times, email] of [
      [known, registered],
      [unknown, `${randomUUID()}@example.test`],
    ] as const) {
      const { time, status } = await attempt(console, email, "bench harbour lighter");
      if (status !== 401) throw new Error(`a wrong password returned ${status}`);
      times.push(time);
    }
  }
  const [ours, reference] = [median(known), median(unknown)];
  return {
    what: `refusal for a registered address against a made-up one, ${ATTEMPTS * 2} tries`,
    measured: milliseconds(ours),
    reference: milliseconds(reference),
    ratio: ours / reference,
    goal: `medians within ${DIFFERENCE_GOAL * 100} % of each other`,
    met: Math.abs(ours - reference) <= DIFFERENCE_GOAL * Math.min(ours, reference),
  };
}

/** Measures the growth of the server's memory during concurrent sign-ins. */
async function memoryRow(console: Console, emails: string[]): Promise<Row> {
  const grown = watchMemory(console.pid);
  const attempts = await Promise.all(
    Array.from({ length: CONCURRENT_SIGN_INS }, (_, turn) =>
      attempt(console, emails[turn % emails.length] as string, PASSWORD),
    ),
  );
  const growth = grown();
  const failed = attempts.find(({ status }) => status !== 200);
  if (failed) throw new Error(`a sign-in among ${CONCURRENT_SIGN_INS} returned ${failed.status}`);
  return {
    what: `memory while ${CONCURRENT_SIGN_INS} sign in at the same moment`,
    measured: `+${mebibytes(growth)}`,
    reference: null,
    ratio: null,
    goal: "at most 256 MiB for hashing",
    met: growth <= 256 * 1024 ** 2,
  };
}

/** Measures the cost of signing in, the memory of concurrent sign-ins, and whether timing reveals registered addresses. */
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
        // Each attempt has a different client address, so that the limit per address does not stop the measurement.
        TRUSTED_PROXIES: "127.0.0.0/8,::1",
      },
    });
    const database = new pg.Client({ connectionString: databaseUrl });
    try {
      await database.connect();
      const emails = await addUsers(
        database,
        Math.ceil((ATTEMPTS + WARM_UP + SIGN_INS + CONCURRENT_SIGN_INS) / ATTEMPTS_PER_ACCOUNT),
      );
      await attempt(server, emails[0] as string, PASSWORD);
      return [
        await costRow(server, emails, database),
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
