import { setTimeout as delay } from "node:timers/promises";
import { closeDatabase, databasePool } from "@/lib/db/client";
import { type Random, randomFrom } from "@/lib/testing/random";
import { type Deployment, startDeployment } from "../e2e/fixtures/deployment";
import type { ServerSettings } from "../scripts/built-server.ts";

const INSTANCES = 2;
/** A process is killed after at most this many answers, or this time, and up to this delay later. */
const MAX_ANSWERS = 100;
const MAX_WORK_MS = 3_000;
const MAX_DELAY_MS = 40;
const SETTLE_TIMEOUT_MS = 60_000;

/** What a round may kill. */
export interface Victim {
  name: string;
  /** The instances among it. */
  indices?: number[];
  kill(): Promise<void>;
}

/** What a call sends: an input as JSON by POST, or a query by GET. */
export interface Call {
  headers: Record<string, string>;
  input?: object;
  query?: object;
}

/** The answer of an instance. */
export interface Answer {
  status: number;
  /** The ID of the request; its audit record has the same. */
  requestId: string;
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
   * Calls an operation on one of the instances.
   * @returns null where the instance was killed before it answered
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

  constructor(readonly deployment: Deployment) {
    for (const index of deployment.servers.keys()) {
      this.#serving.add(index);
      this.#requests[index] = 0;
    }
  }

  /** Sends a request to one of the serving instances. @returns the answer, or null, and the instance's index */
  async call(random: Random, path: string, init: Call): Promise<{ index: number; answer: Answer | null }> {
    const serving = [...this.#serving];
    const index = serving[random(serving.length)] as number;
    const url = new URL(`/api/${path}`, this.deployment.servers[index]?.url);
    for (const [name, value] of Object.entries(init.query ?? {})) url.searchParams.set(name, String(value));
    this.#count(index, 1);
    try {
      const response = await fetch(url, {
        method: init.input ? "POST" : "GET",
        headers: { origin: this.deployment.url, "content-type": "application/json", ...init.headers },
        body: init.input && JSON.stringify(init.input),
      });
      const text = await response.text();
      const requestId = response.headers.get("x-request-id") as string;
      return { index, answer: { status: response.status, requestId, body: text === "" ? null : JSON.parse(text) } };
    } catch {
      // A dead instance refuses at once.
      await delay(20);
      return { index, answer: null };
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

  async restart(index: number): Promise<void> {
    this.#outdated.delete(index);
    await this.deployment.restart(index);
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

/**
 * Starts two instances on one database. In each round, the subjects work at random, one process is killed with SIGKILL at a
 * random moment and restarted, and the subjects check every invariant. The first round with a problem is the last one.
 *
 * @param options.seed of all choices; the order in which the processes do things is not part of it
 * @param options.onProgress is called after each round
 */
export async function torture(options: {
  subjects: readonly Subject[];
  kills: number;
  seed: number;
  onProgress?: (round: number, report: TortureReport) => void;
}): Promise<TortureReport> {
  const { subjects, kills, seed, onProgress } = options;
  const random = randomFrom(seed);
  const report: TortureReport = { kills: {}, figures: {}, problems: [] };
  const deployment = await startDeployment("server-torture", { instances: INSTANCES });
  try {
    const { DATABASE_URL, DATA_DIR, MASTER_KEY } = deployment.settings;
    Object.assign(process.env, { DATABASE_URL, DATA_DIR, MASTER_KEY, APP_URL: deployment.url });
    const arena = new Arena(deployment);
    for (const subject of subjects) await subject.prepare(arena);
    for (let number = 1; number <= kills && report.problems.length === 0; number++) {
      const fail = (problem: string) => void report.problems.push(`round ${number}: ${problem}`);
      const stop = new AbortController();
      const answers = random(MAX_ANSWERS);
      const moment = Promise.withResolvers<void>();
      let answered = 0;
      const unanswered: { index: number; path: string }[] = [];
      const rounds = subjects.map((subject) => {
        const own = randomFrom(random(2 ** 31));
        const call = async (path: string, init: Call) => {
          const { index, answer } = await arena.call(own, path, init);
          if (answered++ === answers) moment.resolve();
          if (answer === null) unanswered.push({ index, path });
          else if (answer.status >= 500) fail(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
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
      const victims = fromOthers && others.length > 0 ? others : arena.victims();
      const { name, kill, indices = [] } = victims[choice % victims.length] as Victim;
      report.kills[name] = (report.kills[name] ?? 0) + 1;
      await kill();
      stop.abort();
      await work;
      for (const { index, path } of unanswered) {
        if (!indices.includes(index)) fail(`${path}: instance ${index + 1} was not killed and did not answer`);
      }
      await Promise.all(indices.map((index) => arena.restart(index)));
      await arena.settle();
      for (const { subject, round } of rounds) await subject.check(round);
      if (number === kills && report.problems.length === 0) {
        for (const { subject, round } of rounds) {
          await subject.finish?.({ ...round, signal: new AbortController().signal });
        }
      }
      report.figures = Object.assign({}, ...subjects.map((subject) => subject.figures()));
      onProgress?.(number, report);
    }
    return report;
  } finally {
    await closeDatabase();
    await deployment.stop();
  }
}
