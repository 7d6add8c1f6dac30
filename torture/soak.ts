import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { makeIpa } from "@slipway/installers/testing";
import { databasePool } from "@/lib/db/client";
import { type Random, randomFrom } from "@/lib/testing/random";
import { ConsoleClient } from "../testing/console-client";
import { type Deployment, startDeployment } from "../testing/deployment";
import { ADMIN } from "../testing/environment.ts";

/** What a server uses at one moment. */
export interface Sample {
  /** Bytes. */
  memory: number;
  files: number;
  sockets: number;
  threads: number;
  /** Connections to the database. */
  connections: number;
}

/** How much more of each the last quarter of a soak may have than the second one. */
const MAX_GROWTH: Sample = { memory: 64 * 1024 ** 2, files: 8, sockets: 16, threads: 4, connections: 4 };

/** A shorter run reports what grew, but does not judge it: memory and connections reach their size in the first minutes. */
const MIN_MINUTES_TO_JUDGE = 30;

const CLIENTS = 6;
const SAMPLES = 120;
const MAX_RELEASES = 50;
const IDENTIFIER = "com.example.soak";

/** What a soak did and what the server used. Sizes are in bytes. */
export interface SoakReport {
  minutes: number;
  requests: number;
  uploads: number;
  downloads: number;
  pages: number;
  /** Requests that were answered with 503 and `Retry-After`, because the machine was too busy. */
  refused: number;
  /** Commands that were answered with 429 and `Retry-After`, because all clients are one user. */
  limited: number;
  /** The medians of the second and of the last quarter. */
  early: Sample;
  late: Sample;
  problems: string[];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const KEYS = Object.keys(MAX_GROWTH) as (keyof Sample)[];

function mediansOf(samples: readonly Sample[]): Sample {
  const medians = KEYS.map((key) => [key, median(samples.map((sample) => sample[key]))]);
  return Object.fromEntries(medians) as Record<keyof Sample, number>;
}

/**
 * Compares the second quarter of the samples with the last one. In the first, caches fill up.
 * @returns what grew more than it may
 */
export function growthOf(samples: readonly Sample[]): Pick<SoakReport, "early" | "late" | "problems"> {
  const quarter = Math.floor(samples.length / 4);
  const early = mediansOf(samples.slice(quarter, 2 * quarter));
  const late = mediansOf(samples.slice(-quarter));
  const grown = KEYS.filter((key) => late[key] - early[key] > MAX_GROWTH[key]);
  return { early, late, problems: grown.map((key) => `${key} grew from ${early[key]} to ${late[key]}`) };
}

/** Reads what a process uses from /proc (proc(5)). */
async function sampleOf(pid: number): Promise<Sample> {
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // It was closed in the meantime.
      return [];
    }
  });
  const sockets = targets.filter((target) => target.startsWith("socket:")).length;
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  const { rows } = await databasePool().query<{ connections: number }>(
    `SELECT count(*)::int AS "connections" FROM pg_stat_activity
     WHERE "datname" = current_database() AND "backend_type" = 'client backend'`,
  );
  return {
    memory: Number(kilobytes) * 1024,
    files: targets.length - sockets,
    sockets,
    threads: readdirSync(`/proc/${pid}/task`).length,
    connections: rows[0]?.connections ?? 0,
  };
}

/** A client that reads, opens pages, uploads, downloads and deletes, and expects the right answers. */
class Client {
  readonly #published: { id: string; sha256: string }[] = [];
  uploads = 0;
  downloads = 0;
  pages = 0;
  requests = 0;
  refused = 0;
  limited = 0;
  /** Until then, the client only reads. In ms of performance.now(). */
  #readsUntil = 0;

  constructor(
    readonly deployment: Deployment,
    readonly headers: Record<string, string>,
    readonly environmentId: string,
    readonly random: Random,
    readonly fail: (problem: string) => void,
  ) {}

  async step(): Promise<void> {
    const isLimited = performance.now() < this.#readsUntil;
    const choice = isLimited ? 20 + this.random(80) : this.random(100);
    if (isLimited && this.#published.length === 0) await this.#page();
    else if (choice < 12 || this.#published.length === 0) await this.#upload();
    else if (choice < 20 || (!isLimited && this.#published.length > MAX_RELEASES)) await this.#delete();
    else if (choice < 45) await this.#download();
    else if (choice < 60) await this.#page();
    else await this.#send(`/api/apps/get-testing-deploys?environmentId=${this.environmentId}`, 200);
  }

  /** @returns null if the server was too busy and said so, or if the answer is a problem */
  async #send(path: string, status: number, init: RequestInit = {}): Promise<Buffer | null> {
    this.requests += 1;
    const headers = { origin: this.deployment.url, ...this.headers, ...init.headers };
    const answer = await fetch(`${this.deployment.url}${path}`, { ...init, headers, redirect: "manual" });
    const body = Buffer.from(await answer.arrayBuffer());
    if (answer.status === status) return body;
    const retryAfter = answer.headers.get("retry-after");
    if (answer.status === 503 && retryAfter) this.refused += 1;
    else if (answer.status === 429 && retryAfter && init.method === "POST") {
      this.limited += 1;
      this.#readsUntil = performance.now() + Number(retryAfter) * 1000;
    } else this.fail(`${path} answered ${answer.status}: ${body.subarray(0, 300)}`);
    return null;
  }

  async #upload(): Promise<void> {
    const bytes = makeIpa({
      identifier: IDENTIFIER,
      icon: this.random(4) === 0 ? "png" : null,
      files: { "number.txt": Buffer.from(String(this.random(2 ** 31))) },
      fillerBytes: this.random(4) === 0 ? this.random(8 * 1024 ** 2) : 0,
    });
    const form = new FormData();
    form.append("environmentId", this.environmentId);
    form.append("description", "Soaked");
    form.append("file", new Blob([bytes]), "soak.ipa");
    const body = await this.#send("/api/apps/create-testing-deploy", 201, { method: "POST", body: form });
    if (!body) return;
    this.#published.push({ id: JSON.parse(body.toString()).id, sha256: sha256Of(bytes) });
    this.uploads += 1;
  }

  async #delete(): Promise<void> {
    const { id } = this.#published[0] as { id: string };
    const limited = this.limited;
    await this.#send("/api/apps/delete-testing-deploy", 204, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id }),
    });
    if (this.limited === limited) this.#published.shift();
  }

  async #download(): Promise<void> {
    const { id, sha256 } = this.#published[this.random(this.#published.length)] as { id: string; sha256: string };
    const bytes = await this.#send(`/api/apps/download-testing-deploy-file?id=${id}`, 200);
    if (!bytes) return;
    if (sha256Of(bytes) !== sha256) this.fail(`the release ${id} has other bytes`);
    this.downloads += 1;
  }

  async #page(): Promise<void> {
    await this.#send(["/home", "/admin-apps", "/profile"][this.random(3)] as string, 200);
    this.pages += 1;
  }
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Keeps a server at full load, and compares what it uses early and late. Needs Linux. */
export async function soak(options: {
  minutes: number;
  seed: number;
  onProgress?: (minutes: number, sample: Sample) => void;
}): Promise<SoakReport> {
  const { minutes, seed, onProgress } = options;
  const problems: string[] = [];
  const random = randomFrom(seed);
  // The clients do not extend their session, as a browser does, so it lasts longer than the run.
  const settings = { SESSION_IDLE_SECONDS: String(minutes * 60 + 1_800), SESSION_ABSOLUTE_SECONDS: "86400" };
  const deployment = await startDeployment("server-soak", { settings, readyTimeoutMs: 300_000 });
  Object.assign(process.env, deployment.settings, { APP_URL: deployment.url });
  try {
    const admin = await ConsoleClient.signIn(deployment.url, ADMIN);
    const app = await admin.command("apps/create-app", { name: "Soak", identifier: IDENTIFIER, status: "active" });
    const environment = { appId: app.id, name: "Testing", status: "active" } as const;
    const { id } = await admin.command("apps/create-environment-app", environment);
    const { cookies } = await admin.request.storageState();
    const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
    await admin.dispose();
    const fail = (problem: string) => void (problems.length < 20 && problems.push(problem));
    const clients = Array.from(
      { length: CLIENTS },
      () => new Client(deployment, headers, id, randomFrom(random(2 ** 31)), fail),
    );
    const begun = performance.now();
    const until = begun + minutes * 60_000;
    const loads = clients.map(async (client) => {
      while (performance.now() < until) await client.step();
    });
    const samples: Sample[] = [];
    const [server] = deployment.servers;
    while (performance.now() < until) {
      await delay(Math.min(until - performance.now(), (minutes * 60_000) / SAMPLES));
      const sample = await sampleOf(server?.pid as number);
      samples.push(sample);
      onProgress?.((performance.now() - begun) / 60_000, sample);
    }
    await Promise.all(loads);
    const sum = (of: (client: Client) => number) => clients.reduce((total, client) => total + of(client), 0);
    const { early, late, problems: grown } = growthOf(samples);
    return {
      minutes,
      requests: sum(({ requests }) => requests),
      uploads: sum(({ uploads }) => uploads),
      downloads: sum(({ downloads }) => downloads),
      pages: sum(({ pages }) => pages),
      refused: sum(({ refused }) => refused),
      limited: sum(({ limited }) => limited),
      early,
      late,
      problems: [...problems, ...(minutes < MIN_MINUTES_TO_JUDGE ? [] : grown)],
    };
  } finally {
    await databasePool().end();
    await deployment.stop();
  }
}
