import { setTimeout as delay } from "node:timers/promises";
import { closeDatabase, databasePool } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { type Random, randomFrom } from "@/lib/testing/random";
import type { ServerSettings } from "../testing/built-server.ts";
import type { ConsoleClient } from "../testing/console-client";
import { type Deployment, startDeployment } from "../testing/deployment";
import { ADMIN } from "../testing/environment.ts";
import { turnOnTwoFactor } from "../testing/two-factor";

const INSTANCES = 2;
/** A process is killed after at most this many answers, or this time, and up to this delay later. */
const MAX_ANSWERS = 100;
const MAX_WORK_MS = 3_000;
const MAX_DELAY_MS = 40;
const SETTLE_TIMEOUT_MS = 60_000;
/** The database or the store is away for up to this time before it is started again. */
const MAX_OUTAGE_MS = 1_500;
/** How long the instances may take until they are ready again. */
const RECOVERY_TIMEOUT_MS = 60_000;
/** The machine may have other work. */
const READY_TIMEOUT_MS = 300_000;
const REQUEST_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 3;

/** What is killed: instances and commands, or what they depend on. */
export const KILLED = ["server", "postgres", "store"] as const;
export type Killed = (typeof KILLED)[number];

/** What a round may kill. */
export interface Victim {
  name: string;
  /** The instances among it. */
  indices?: number[];
  kill(): Promise<void>;
  /** Starts it again, if it is not an instance. */
  start?(): Promise<void>;
}

/** What a call sends: an input as JSON or a form by POST, bytes by PUT, or a query by GET. */
export interface Call {
  headers?: Record<string, string>;
  input?: object;
  form?: FormData;
  bytes?: Uint8Array<ArrayBuffer>;
  query?: object;
}

/** The answer of an instance. */
export interface Answer {
  status: number;
  /** The ID of the request; its audit record has the same. */
  requestId: string;
  headers: Headers;
  /** JSON as a value, anything else as a Buffer; null if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: the checks read bodies untyped
  body: any;
}

/** One round: requests until the signal is aborted, a kill, a restart, and the checks. */
export interface Round {
  number: number;
  /** Of this subject and round alone. */
  random: Random;
  /** Aborted after the kill. Work ends then. */
  signal: AbortSignal;
  /**
   * Calls an operation on one of the instances, or requests an address of an instance or of the store.
   * @param path of an operation, a path with a slash, or a URL of the store
   * @returns null where it is not known whether it was done: the instance was killed before it answered, or answers 503 because
   *   the database or the store was killed
   */
  call(path: string, init: Call): Promise<Answer | null>;
  /** Reports a violated invariant. */
  fail(problem: string): void;
}

/** What is tortured, for example the configuration. Subjects work at the same time, and are checked after each kill. */
export interface Subject {
  name: string;
  /** Creates what the work needs. Called once, before the first round. */
  prepare(arena: Arena): Promise<void>;
  /** Changes and reads at random until the signal is aborted. */
  work(round: Round): Promise<void>;
  /** Reports every violated invariant. Called after each round, when nothing is under way. */
  check(round: Round): Promise<void>;
  /** Brings the work to its end and reports what does not. Called after the last round. */
  finish?(round: Round): Promise<void>;
  /** Processes other than the instances that run at this moment. */
  victims?(): Victim[];
  /** What was done so far, for the report. */
  figures(): Record<string, number>;
}

export interface TortureReport {
  kills: Record<string, number>;
  figures: Record<string, number>;
  problems: string[];
}

/** The instances and their database. */
export class Arena {
  /** The instances that receive requests. */
  readonly #serving = new Set<number>();
  readonly #requests: number[] = [];
  /** The instances that run with earlier settings. */
  readonly #outdated = new Set<number>();

  #admin: Promise<ConsoleClient> | null = null;

  constructor(readonly deployment: Deployment) {
    for (const index of deployment.servers.keys()) {
      this.#serving.add(index);
      this.#requests[index] = 0;
    }
  }

  /** The administrator, whose session has passed the second factor. The same one for all subjects. */
  admin(): Promise<ConsoleClient> {
    this.#admin ??= turnOnTwoFactor(this.deployment.url, ADMIN).then(({ client }) => client);
    return this.#admin;
  }

  /** Sends a request to one of the serving instances. @returns the answer, or null, and the instance's index */
  async call(random: Random, path: string, init: Call): Promise<{ index: number; answer: Answer | null }> {
    const serving = [...this.#serving];
    const index = serving[random(serving.length)] as number;
    const url = new URL(path.startsWith("/") ? path : `/api/${path}`, this.deployment.servers[index]?.url);
    this.#count(index, 1);
    try {
      return { index, answer: await request(url, { origin: this.deployment.url, ...init.headers }, init) };
    } finally {
      this.#count(index, -1);
    }
  }

  #count(index: number, change: number): void {
    this.#requests[index] = (this.#requests[index] as number) + change;
  }

  /** Changes the settings. Instances have them after a restart. */
  configure(settings: Partial<ServerSettings>): void {
    Object.assign(this.deployment.settings, settings);
    for (const index of this.#serving) this.#outdated.add(index);
  }

  /** Whether all instances run with the current settings. */
  get isUpToDate(): boolean {
    return this.#outdated.size === 0;
  }

  /** Restarts an instance. Like an orchestrator, tries again if it ends because a dependency was not there in time. */
  async restart(index: number): Promise<void> {
    this.#outdated.delete(index);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.deployment.restart(index);
      } catch (error) {
        if (attempt === START_ATTEMPTS || !String(error).includes("Slipway cannot start")) throw error;
      }
    }
  }

  /** Restarts the instances with earlier settings gracefully, one after the other, while the others serve. */
  async update(signal: AbortSignal): Promise<void> {
    for (const index of this.#outdated) {
      if (signal.aborted) return;
      this.#serving.delete(index);
      while (this.#requests[index]) await delay(5);
      await this.deployment.servers[index]?.stop();
      await this.restart(index);
      this.#serving.add(index);
    }
  }

  /** The database or the store, as what is killed. @throws Error if there is no such process */
  dependency(name: Exclude<Killed, "server">): Victim {
    const { postgres, store } = this.deployment;
    if (name === "postgres") return { name, kill: postgres.kill, start: postgres.start };
    if (!store) throw new Error("only an S3 store can be killed");
    return { name, kill: store.server.kill, start: store.server.start };
  }

  /** Waits until all serving instances are ready. @returns whether they are */
  async recover(): Promise<boolean> {
    const until = performance.now() + RECOVERY_TIMEOUT_MS;
    const isReady = async (index: number) =>
      fetch(`${this.deployment.servers[index]?.url}/api/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (;;) {
      const ready = await Promise.all([...this.#serving].map(isReady));
      if (ready.every(Boolean)) return true;
      if (performance.now() > until) return false;
      await delay(20);
    }
  }

  /** What can be killed: each serving instance, and all of them at once. */
  victims(): Victim[] {
    const instances = [...this.#serving].map((index) => ({ name: `instance ${index + 1}`, indices: [index] }));
    const all = instances.length > 1 ? [{ name: "all instances", indices: [...this.#serving] }] : [];
    return [...instances, ...all].map(({ name, indices }) => ({
      name,
      indices,
      kill: async () => {
        await Promise.all(indices.map((index) => this.deployment.servers[index]?.kill()));
      },
    }));
  }

  /** Waits until the transactions of killed processes have ended. */
  async settle(): Promise<void> {
    const until = performance.now() + SETTLE_TIMEOUT_MS;
    for (;;) {
      const { rows } = await databasePool().query(
        `SELECT "query" FROM pg_stat_activity WHERE "datname" = current_database() AND "pid" <> pg_backend_pid()
           AND "xact_start" IS NOT NULL AND "backend_type" = 'client backend' AND "query" NOT LIKE '%pgboss%'`,
      );
      if (rows.length === 0) return;
      if (performance.now() > until) throw new Error(`still running: ${rows[0]?.query}`);
      await delay(20);
    }
  }
}

/** Sends a request. @returns null if the connection was lost */
async function request(url: URL, headers: Record<string, string>, init: Call): Promise<Answer | null> {
  for (const [name, value] of Object.entries(init.query ?? {})) url.searchParams.set(name, String(value));
  const json = init.input && { "content-type": "application/json" };
  try {
    const response = await fetch(url, {
      method: init.bytes ? "PUT" : init.input || init.form ? "POST" : "GET",
      headers: { ...json, ...headers },
      body: init.bytes ?? init.form ?? (init.input && JSON.stringify(init.input)),
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
    const body = bytes.length === 0 ? null : isJson ? JSON.parse(bytes.toString()) : bytes;
    const requestId = response.headers.get("x-request-id") as string;
    return { status: response.status, requestId, headers: response.headers, body };
  } catch {
    // A dead instance refuses at once.
    await delay(20);
    return null;
  }
}

/** Gateways answer for a service that is away. */
const AWAY = [502, 503, 504];

/**
 * Starts two instances on one database. In each round, the subjects work at random, one process is killed with SIGKILL at a
 * random moment and restarted, and the subjects check every invariant. The first round with a problem is the last one.
 *
 * @param options.minutes after which no other round begins, even if there were fewer kills
 * @param options.seed of all choices; the order in which the processes do things is not part of it
 * @param options.kill what is killed; while the database or the store is away, requests may be answered with 503
 * @param options.store where the files are
 * @param options.onProgress is called after each round
 */
export async function torture(options: {
  subjects: readonly Subject[];
  kills: number;
  minutes?: number;
  seed: number;
  kill?: Killed;
  store?: "disk" | "s3";
  onProgress?: (round: number, report: TortureReport) => void;
}): Promise<TortureReport> {
  const {
    subjects,
    kills,
    minutes = Number.POSITIVE_INFINITY,
    seed,
    kill = "server",
    store = kill === "store" ? "s3" : "disk",
    onProgress,
  } = options;
  const random = randomFrom(seed);
  const report: TortureReport = { kills: {}, figures: {}, problems: [] };
  const deployment = await startDeployment(`server-torture-${kill}`, {
    instances: INSTANCES,
    store,
    durable: kill === "postgres",
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  try {
    Object.assign(process.env, deployment.settings, { APP_URL: deployment.url });
    // The connections of this process are lost too.
    log.level = "error";
    const arena = new Arena(deployment);
    for (const subject of subjects) await subject.prepare(arena);
    await (await arena.admin()).dispose();
    const until = performance.now() + minutes * 60_000;
    let isLast = false;
    for (let number = 1; !isLast && report.problems.length === 0; number++) {
      const fail = (problem: string) => void report.problems.push(`round ${number}: ${problem}`);
      const stop = new AbortController();
      const answers = random(MAX_ANSWERS);
      const moment = Promise.withResolvers<void>();
      let answered = 0;
      /** Whether the database or the store may be away. */
      let outage = false;
      const unanswered: { index: number; path: string }[] = [];
      const rounds = subjects.map((subject) => {
        const own = randomFrom(random(2 ** 31));
        const call = async (path: string, init: Call) => {
          const isOfStore = path.startsWith("http");
          const { index, answer } = isOfStore
            ? { index: -1, answer: await request(new URL(path), init.headers ?? {}, init) }
            : await arena.call(own, path, init);
          if (answered++ === answers) moment.resolve();
          if (answer === null && isOfStore) {
            if (!outage) fail("the store did not answer");
          } else if (answer === null) unanswered.push({ index, path });
          else if (answer.status >= 500) {
            const isAway = isOfStore ? AWAY.includes(answer.status) : answer.status === 503;
            if (outage && isAway) {
              report.figures["answers that something is unavailable"] =
                (report.figures["answers that something is unavailable"] ?? 0) + 1;
              if (!isOfStore && !answer.headers.has("retry-after")) fail(`${path} answered 503 without Retry-After`);
              await delay(20);
              return null;
            }
            fail(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
          }
          return answer;
        };
        const round: Round = { number, random: own, signal: stop.signal, fail, call };
        return { subject, round };
      });
      const work = Promise.all(rounds.map(({ subject, round }) => subject.work(round)));
      await Promise.race([moment.promise, delay(MAX_WORK_MS)]);
      await delay(random(MAX_DELAY_MS));
      const others = subjects.flatMap((subject) => subject.victims?.() ?? []);
      const [fromOthers, choice] = [random(2) === 0, random(12)];
      const victims =
        kill !== "server" ? [arena.dependency(kill)] : fromOthers && others.length > 0 ? others : arena.victims();
      const victim = victims[choice % victims.length] as Victim;
      const { indices = [] } = victim;
      report.kills[victim.name] = (report.kills[victim.name] ?? 0) + 1;
      outage = victim.start !== undefined;
      await victim.kill();
      if (victim.start) {
        await delay(random(MAX_OUTAGE_MS));
        await victim.start();
        if (!(await arena.recover())) fail(`the instances were not ready after the kill of ${victim.name}`);
      }
      stop.abort();
      await work;
      outage = false;
      for (const { index, path } of unanswered) {
        if (!indices.includes(index)) fail(`${path}: instance ${index + 1} was not killed and did not answer`);
      }
      await Promise.all(indices.map((index) => arena.restart(index)));
      await arena.settle();
      for (const { subject, round } of rounds) await subject.check(round);
      isLast = number === kills || performance.now() > until;
      if (isLast && report.problems.length === 0) {
        for (const { subject, round } of rounds) {
          await subject.finish?.({ ...round, signal: new AbortController().signal });
        }
      }
      Object.assign(report.figures, ...subjects.map((subject) => subject.figures()));
      onProgress?.(number, report);
    }
    return report;
  } finally {
    await closeDatabase();
    await deployment.stop();
  }
}
