import { createHash } from "node:crypto";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeIpa } from "@slipway/installers/testing";
import pg from "pg";
import { verifyAudit } from "@/lib/audit/verify";
import type { Treatment } from "@/lib/testing/fault-proxy";
import { ConsoleClient } from "../../testing/console-client";
import { canMount, type Deployment, startDeployment } from "../../testing/deployment";
import { ADMIN } from "../../testing/environment.ts";
import { type Machine, machineWithFaults } from "./machine";

const MIB = 1024 * 1024;
const DAY_SECONDS = 86_400;
const READY_TIMEOUT_MS = 300_000;
const RECOVERY_TIMEOUT_MS = 120_000;
const IDENTIFIER = "com.example.faults";

/** What became of one fault. */
export interface FaultReport {
  name: string;
  /** What was done, in words. */
  done: string;
  problems: string[];
  /** Why it could not be injected here. */
  skipped?: string;
}

interface Scenario {
  name: string;
  /** @returns what was done */
  run(expect: (holds: boolean, problem: string) => void, machine: Machine | null): Promise<string>;
}

/** A fault that this machine cannot inject. */
class Skipped extends Error {}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A console with an application, an API token for it, and a client that sees statuses. */
class Console {
  private constructor(
    readonly deployment: Deployment,
    readonly environmentId: string,
    readonly appId: string,
    readonly headers: Record<string, string>,
  ) {}

  static async start(name: string, options: Parameters<typeof startDeployment>[1]): Promise<Console> {
    const deployment = await startDeployment(`server-fault-${name}`, { readyTimeoutMs: READY_TIMEOUT_MS, ...options });
    try {
      const admin = await ConsoleClient.signIn(deployment.url, ADMIN);
      const app = await admin.command("apps/create-app", { name: "Faults", identifier: IDENTIFIER, status: "active" });
      const environment = { appId: app.id, name: "Testing", status: "active" } as const;
      const { id: environmentId } = await admin.command("apps/create-environment-app", environment);
      const { token } = await admin.command("config/create-api-token", {
        name: "Faults",
        appId: app.id,
        environmentId,
        identifiers: ["server"],
        validUntil: new Date(Date.now() + 30 * DAY_SECONDS * 1_000).toISOString(),
        scopes: ["release:read", "release:download", "release:create", "release:delete"],
      });
      await admin.dispose();
      return new Console(deployment, environmentId, app.id, { authorization: `Bearer ${token}` });
    } catch (error) {
      await deployment.stop();
      throw error;
    }
  }

  async get(path: string, headers: Record<string, string> = this.headers): Promise<Response> {
    return fetch(new URL(path, this.deployment.url), { headers, redirect: "manual" });
  }

  async publish(bytes: Uint8Array<ArrayBuffer>): Promise<{ status: number; id?: string; retryAfter: string | null }> {
    const form = new FormData();
    form.append("environmentId", this.environmentId);
    form.append("description", "Sent while something was broken");
    form.append("file", new Blob([bytes]), "faults.ipa");
    const url = `${this.deployment.url}/api/apps/create-testing-deploy`;
    const headers = { origin: this.deployment.url, ...this.headers };
    const answer = await fetch(url, { method: "POST", headers, body: form });
    const { id } = JSON.parse(await answer.text());
    return { status: answer.status, id, retryAfter: answer.headers.get("retry-after") };
  }

  /** @returns the SHA-256 of the bytes that a client ends with; null where its download fails */
  async download(id: string): Promise<string | null> {
    try {
      const first = await this.get(`/api/apps/download-testing-deploy-file?id=${id}`);
      const location = first.headers.get("location");
      const answer = location ? await fetch(location) : first;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return answer.status === 200 ? sha256Of(bytes) : null;
    } catch {
      return null;
    }
  }

  async releases(): Promise<number> {
    const answer = await this.get(`/api/apps/get-testing-deploys?environmentId=${this.environmentId}`);
    return (await answer.json()).total;
  }

  async ready(): Promise<boolean> {
    return (await this.get("/api/health/ready")).ok;
  }

  async recovered(): Promise<boolean> {
    const until = performance.now() + RECOVERY_TIMEOUT_MS;
    while (performance.now() < until) {
      if (await this.ready().catch(() => false)) return true;
      await delay(100);
    }
    return false;
  }

  /** The problems that a sweep finds: files without bytes. Afterwards nothing is left without a row. */
  async swept(): Promise<string[]> {
    const { code, out, err } = await this.deployment.run("sweep", "--now");
    return code === 0 ? [] : [`the sweep ended with ${code}: ${out}${err}`];
  }

  /** The faults of the audit chain. */
  async auditFaults(): Promise<string[]> {
    const pool = new pg.Pool({ connectionString: this.deployment.databaseUrl, max: 1 });
    try {
      return (await verifyAudit(pool)).faults.map((fault) => JSON.stringify(fault));
    } finally {
      await pool.end();
    }
  }
}

let number = 0;
const anInstaller = (fillerBytes = 0) =>
  makeIpa({ identifier: IDENTIFIER, build: String(++number), icon: null, fillerBytes });

const isAway = ({ status, retryAfter }: { status: number; retryAfter: string | null }) =>
  status === 503 && retryAfter !== null;

const diskFull: Scenario = {
  name: "disk full",
  async run(expect) {
    if (!canMount()) throw new Skipped("file systems cannot be mounted");
    const reserve = 64 * MIB;
    const console = await Console.start("disk", { diskMiB: 420, settings: { DISK_RESERVE_BYTES: String(reserve) } });
    try {
      const { dataDir } = console.deployment;
      const filler = join(dataDir, "other-program");
      const file = await open(filler, "w");
      const { bavail, bsize } = await statfs(dataDir);
      for (let left = bavail * bsize - reserve / 2; left > 0; left -= MIB) await file.write(Buffer.alloc(MIB));
      await file.close();
      const refused: number[] = [];
      for (const size of [0, MIB, 9 * MIB]) refused.push((await console.publish(anInstaller(size))).status);
      expect(
        refused.every((status) => status === 507),
        `uploads to a full disk answered ${refused.join(", ")}`,
      );
      expect((await console.releases()) === 0, "a release was published on a full disk");
      expect(await console.ready(), "a console with a full disk does not serve");
      for (const problem of await console.swept()) expect(false, problem);
      await rm(filler);
      const { status } = await console.publish(anInstaller());
      expect(status === 201, `an upload after the disk had room answered ${status}`);
      for (const fault of await console.auditFaults()) expect(false, fault);
      return "3 uploads of up to 9 MiB refused with 507, nothing left, published when there is room";
    } finally {
      await console.deployment.stop();
    }
  },
};

const clock: Scenario = {
  name: "clock stepped",
  async run(expect, machine) {
    if (!machine) throw new Skipped("there is no C compiler");
    const console = await Console.start("clock", { settings: machine.settings });
    try {
      const shas = new Map<string, string>();
      const statuses: number[] = [];
      for (const days of [0, 1, 0, -1, 0]) {
        machine.setClock(days * DAY_SECONDS);
        // The clock is read again once a second.
        await delay(1_500);
        const bytes = anInstaller();
        const published = await console.publish(bytes);
        expect(published.status === 201, `an upload ${days} days from now answered ${published.status}`);
        if (published.id) shas.set(published.id, sha256Of(bytes));
        const admin = await ConsoleClient.signIn(console.deployment.url, ADMIN).catch((error) => {
          expect(false, `a sign-in ${days} days from now failed: ${error}`);
          return null;
        });
        await admin?.dispose();
        for (const path of [
          "/",
          "/api/health/ready",
          `/api/apps/get-testing-deploys?environmentId=${console.environmentId}`,
        ]) {
          const { status } = await console.get(path);
          statuses.push(status);
          expect(status < 500, `${path} answered ${status}, ${days} days from now`);
        }
        for (const [id, sha256] of shas) {
          expect((await console.download(id)) === sha256, `the release ${id} has other bytes, ${days} days from now`);
        }
      }
      for (const problem of await console.swept()) expect(false, problem);
      expect((await console.releases()) === shas.size, "releases were lost");
      for (const fault of await console.auditFaults()) expect(false, fault);
      return `a day forward, back, a day back, forward: ${shas.size} releases published and intact, sign-in works, audit chain intact`;
    } finally {
      machine.setClock(0);
      await console.deployment.stop();
    }
  },
};

const dns: Scenario = {
  name: "DNS gone",
  async run(expect, machine) {
    if (!machine) throw new Skipped("there is no C compiler");
    const mail = { SMTP_URL: "smtp://localhost:1", MAIL_FROM: "a@slipway.test" };
    const console = await Console.start("dns", { store: "s3", settings: { ...machine.settings, ...mail } });
    try {
      const { deployment } = console;
      // By their names, which the server of the deployment was started without.
      for (const name of ["DATABASE_URL", "S3_ENDPOINT"] as const) {
        deployment.settings[name] = deployment.settings[name]?.replace("127.0.0.1", "localhost") as string;
      }
      await deployment.servers[0]?.stop();
      await deployment.restart(0);
      machine.setDns(false);
      await deployment.postgres.kill();
      await deployment.postgres.start();
      deployment.store?.proxy.cutAll();
      const listed = await console.get(`/api/apps/get-testing-deploys?environmentId=${console.environmentId}`);
      expect(
        isAway({ status: listed.status, retryAfter: listed.headers.get("retry-after") }),
        `without DNS, a list answered ${listed.status}`,
      );
      const published = await console.publish(anInstaller());
      expect(isAway(published), `without DNS, an upload answered ${published.status}`);
      expect(!(await console.ready()), "without DNS, the instance is ready");
      const live = await console.get("/api/health/live");
      expect(live.status === 200, `without DNS, the liveness check answered ${live.status}`);
      machine.setDns(true);
      expect(await console.recovered(), "the instance was not ready after DNS was back");
      const { status } = await console.publish(anInstaller());
      expect(status === 201, `after DNS was back, an upload answered ${status}`);
      for (const problem of await console.swept()) expect(false, problem);
      for (const fault of await console.auditFaults()) expect(false, fault);
      return "database, store and mail unresolvable: 503 with Retry-After, not ready, alive; publishes when it is back";
    } finally {
      machine.setDns(true);
      await console.deployment.stop();
    }
  },
};

const slowDisk: Scenario = {
  name: "slow disk",
  async run(expect, machine) {
    if (!machine) throw new Skipped("there is no C compiler");
    const delayMs = 3_000;
    const console = await Console.start("slow", { settings: machine.settings });
    try {
      machine.setDisk(delayMs);
      const bytes = anInstaller(9 * MIB);
      const begun = performance.now();
      let ended = false;
      const publishing = console.publish(bytes).finally(() => {
        ended = true;
      });
      let answers = 0;
      while (!ended) {
        const { status } = await console.get("/api/config/get-app-config");
        expect(status === 200, `while the disk was slow, a read answered ${status}`);
        answers += 1;
        await delay(20);
      }
      const published = await publishing;
      const seconds = Math.round((performance.now() - begun) / 1_000);
      expect(published.status === 201, `an upload to a slow disk answered ${published.status}`);
      expect(performance.now() - begun >= delayMs, "the upload was answered before the disk had it");
      expect(answers > 5, `${answers} reads were answered while the disk was slow`);
      machine.setDisk(0);
      if (published.id)
        expect((await console.download(published.id)) === sha256Of(bytes), "the release has other bytes");
      return `each flush takes 3 s longer: an upload takes ${seconds} s, ${answers} reads are answered in the meantime`;
    } finally {
      machine.setDisk(0);
      await console.deployment.stop();
    }
  },
};

/** What the store answers in place of the truth, and to which method. */
const LIES: Record<string, { method: string; treatment: Treatment }> = {
  "wrong bytes": {
    method: "GET",
    treatment: { change: (body) => Buffer.from(body.map((byte) => byte ^ 0xff)), keepsLength: true },
  },
  "fewer bytes": {
    method: "GET",
    treatment: { change: (body) => body.subarray(0, body.length / 2), keepsLength: false },
  },
  "more bytes": { method: "GET", treatment: { change: (body) => Buffer.concat([body, body]), keepsLength: false } },
  "200, then nothing": {
    method: "GET",
    treatment: { change: (body) => body.subarray(0, body.length / 2), keepsLength: true },
  },
  "another ETag": { method: "PUT", treatment: { headers: { etag: '"0123456789abcdef0123456789abcdef"' } } },
  "no ETag": { method: "PUT", treatment: { headers: { etag: "" } } },
  "200 without storing": { method: "PUT", treatment: { status: 200 } },
  "200 for a missing object": { method: "HEAD", treatment: { status: 200 } },
};

const lyingStore: Scenario = {
  name: "a store that lies",
  async run(expect) {
    const console = await Console.start("store", { store: "s3" });
    try {
      const { deployment } = console;
      const proxy = deployment.store?.proxy;
      const intact = anInstaller(9 * MIB);
      const { id } = await console.publish(intact);
      expect(id !== undefined, "an upload to a store that does not lie was refused");
      let published = 0;
      for (const [name, { method, treatment }] of Object.entries(LIES)) {
        const before = await console.releases();
        proxy?.treat((request) =>
          request.method === method && request.url.pathname !== "/slipway" ? treatment : "pass",
        );
        for (const size of [0, 9 * MIB]) {
          const bytes = anInstaller(size);
          const answer = await console.publish(bytes);
          if (answer.status === 201 && answer.id) {
            // The lie did not concern it: then its bytes are there.
            published += 1;
            proxy?.treat(() => "pass");
            expect((await console.download(answer.id)) === sha256Of(bytes), `${name}: a release without its bytes`);
          } else {
            expect([422, 503].includes(answer.status), `${name}: an upload answered ${answer.status}`);
          }
        }
        proxy?.treat((request) =>
          request.method === method && request.url.pathname !== "/slipway" ? treatment : "pass",
        );
        if (id && name === "200, then nothing") {
          expect((await console.download(id)) === null, `${name}: a download was handed out as whole`);
        }
        proxy?.treat(() => "pass");
        expect((await console.releases()) <= before + 2, `${name}: releases appeared`);
        for (const problem of await console.swept()) expect(false, `${name}: ${problem}`);
      }
      if (id) expect((await console.download(id)) === sha256Of(intact), "the release has other bytes");
      const last = await console.publish(anInstaller());
      expect(last.status === 201, `an upload after the lies answered ${last.status}`);
      for (const fault of await console.auditFaults()) expect(false, fault);
      const kinds = Object.keys(LIES).length;
      const outcome =
        published === 0 ? "all refused" : `${published} that no lie concerned are intact, the others refused`;
      return `${kinds} kinds of lies, ${2 * kinds} uploads: ${outcome}; a cut download is not handed out as whole`;
    } finally {
      await console.deployment.stop();
    }
  },
};

const SCENARIOS = [diskFull, clock, dns, slowDisk, lyingStore];

/** The names of the faults. */
export const FAULTS = SCENARIOS.map(({ name }) => name);

/** Injects faults into consoles of their own, one after the other. */
export async function tortureFaults(
  names: readonly string[] = FAULTS,
  onDone?: (report: FaultReport) => void,
): Promise<FaultReport[]> {
  const machine = machineWithFaults();
  const reports: FaultReport[] = [];
  for (const { name, run } of SCENARIOS.filter((scenario) => names.includes(scenario.name))) {
    const report: FaultReport = { name, done: "", problems: [] };
    const expect = (holds: boolean, problem: string) => void (holds || report.problems.push(problem));
    try {
      report.done = await run(expect, machine);
    } catch (error) {
      if (error instanceof Skipped) report.skipped = error.message;
      else report.problems.push(String(error instanceof Error ? error.stack : error));
    }
    reports.push(report);
    onDone?.(report);
  }
  return reports;
}
