import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeIpa } from "@slipway/installers/testing";
import { sealPassword } from "@/components/auth/sealed-password";
import { type BuiltServer, startBuiltServer } from "../scripts/built-server.ts";
import { createRunDir, startThrowawayPostgres } from "../scripts/throwaway-postgres.ts";

/** A running console with one application, and what a benchmark needs to speak to it. */
export interface Bench {
  baseUrl: string;
  serverPid: number;
  databaseUrl: string;
  /** The store's folder, where it is on disk. */
  dataDir: string;
  /** A temporary folder for the benchmark's own files. */
  runDir: string;
  /** The administrator's session, as a Cookie header. */
  cookie: string;
  /** The administrator. */
  userId: string;
  appId: string;
  environmentId: string;
  identifier: string;
  /** The one release. */
  releaseId: string;
  /** An API token of the environment with the identifier `server`. */
  token: string;
  /** Sends a command as the administrator. @throws Error with the whole answer where it is a failure */
  command(path: string, body: object | FormData): Promise<Answer>;
  /** Sends a query as the administrator. @throws Error likewise */
  query(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark reads the answer untyped
type Answer = any;

const IDENTIFIER = "com.example.bench";

async function read(answer: Response): Promise<Answer> {
  if (!answer.ok) throw new Error(`${answer.url} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function post(server: BuiltServer, path: string, body: object | FormData, cookie = ""): Promise<Response> {
  const form = body instanceof FormData;
  return fetch(`${server.url}/api/${path}`, {
    method: "POST",
    headers: { origin: server.url, cookie, ...(!form && { "content-type": "application/json" }) },
    body: form ? body : JSON.stringify(body),
  });
}

/** Signs in as a browser does. @returns the session as a Cookie header */
async function signIn(server: BuiltServer, admin: { email: string; password: string }): Promise<string> {
  const keys = await read(await fetch(`${server.url}/api/config/get-public-key`));
  const password = await sealPassword(admin.password, keys);
  const answer = await post(server, "auth/email-login", { email: admin.email, password });
  await read(answer.clone());
  return (answer.headers.get("set-cookie") as string).split(";")[0] as string;
}

/**
 * Starts the built console with a database of its own, an application with one release, and a token for it.
 * @param more further settings of the server
 */
export async function startBench(more: Record<string, string> = {}): Promise<Bench> {
  const runDir = await createRunDir();
  const work = join(runDir, "bench");
  mkdirSync(work);
  const admin = { email: "bench@example.test", password: randomBytes(18).toString("base64url") };
  const dataDir = join(runDir, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const postgres = await startThrowawayPostgres(runDir);
  const databaseUrl = await postgres.createDatabase({ empty: true });
  let server: BuiltServer;
  try {
    server = await startBuiltServer({
      logFile: join(runDir, "server.log"),
      settings: {
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        MASTER_KEY: randomBytes(32).toString("base64"),
        SETUP_ADMIN_EMAIL: admin.email,
        SETUP_ADMIN_PASSWORD: admin.password,
        ...more,
      },
    });
  } catch (error) {
    await postgres.destroy();
    throw error;
  }
  const stop = async () => {
    await server.stop();
    await postgres.destroy();
  };
  try {
    const cookie = await signIn(server, admin);
    const command = async (path: string, body: object | FormData) => read(await post(server, path, body, cookie));
    const query = async (path: string) => read(await fetch(`${server.url}/api/${path}`, { headers: { cookie } }));
    const { user } = await query("auth/get-user-profile");
    const app = await command("apps/create-app", { name: "Bench", identifier: IDENTIFIER });
    const place = { appId: app.id, name: "Bench", status: "active" };
    const environment = await command("apps/create-environment-app", place);
    const { token } = await command("config/create-api-token", {
      name: "bench",
      appId: app.id,
      environmentId: environment.id,
      identifiers: ["server"],
      validUntil: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const form = new FormData();
    form.append("environmentId", environment.id);
    form.append("description", "The first one");
    form.append("file", new Blob([makeIpa({ identifier: IDENTIFIER })]), "bench.ipa");
    const release = await command("apps/create-testing-deploy", form);
    return {
      baseUrl: server.url,
      serverPid: server.pid,
      databaseUrl,
      dataDir,
      runDir: work,
      cookie,
      userId: user.id,
      appId: app.id,
      environmentId: environment.id,
      identifier: IDENTIFIER,
      releaseId: release.id,
      token,
      command,
      query,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
