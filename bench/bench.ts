import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeIpa } from "@slipway/installers/testing";
import { sealPassword } from "@/lib/client/sealed-password";
import { type BuiltServer, startBuiltServer } from "../testing/built-server.ts";
import { createRunDir, startThrowawayPostgres } from "../testing/throwaway-postgres.ts";

/** A running console with one application, and the credentials for calling it. */
export interface Bench {
  baseUrl: string;
  serverPid: number;
  databaseUrl: string;
  /** The data folder, with the files of the disk store. */
  dataDir: string;
  /** A temporary folder for the benchmark's own files. */
  runDir: string;
  /** The administrator's session, as a Cookie header. */
  cookie: string;
  /** The administrator's ID. */
  userId: string;
  appId: string;
  environmentId: string;
  identifier: string;
  /** The ID of the only release. */
  releaseId: string;
  /** An API token of the environment with the identifier `server`. */
  token: string;
  /** The console's MASTER_KEY. */
  masterKey: string;
  /** Creates an API token of the environment with the identifier `server` and some scopes. */
  createToken(scopes: readonly string[]): Promise<string>;
  /** Sends a command as the administrator. @throws Error with the response body if the status is not 2xx */
  command(path: string, body: object | FormData): Promise<Output>;
  /** Sends a query as the administrator. @throws Error with the response body if the status is not 2xx */
  query(path: string): Promise<Output>;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark reads responses untyped
type Output = any;

const IDENTIFIER = "com.example.bench";

async function read(response: Response): Promise<Output> {
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

function post(server: BuiltServer, path: string, body: object | FormData, cookie = ""): Promise<Response> {
  const form = body instanceof FormData;
  return fetch(`${server.url}/api/${path}`, {
    method: "POST",
    headers: { origin: server.url, cookie, ...(!form && { "content-type": "application/json" }) },
    body: form ? body : JSON.stringify(body),
  });
}

/** Signs in with email and password. @returns the session as a Cookie header */
async function signIn(server: BuiltServer, admin: { email: string; password: string }): Promise<string> {
  const keys = await read(await fetch(`${server.url}/api/config/get-public-key`));
  const password = await sealPassword(admin.password, keys);
  const response = await post(server, "auth/email-login", { email: admin.email, password });
  await read(response.clone());
  return (response.headers.get("set-cookie") as string).split(";")[0] as string;
}

/**
 * Starts the built console with a new database, an application with one release, and an API token for it.
 * @param more additional settings of the server
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
  const masterKey = more.MASTER_KEY ?? randomBytes(32).toString("base64");
  let server: BuiltServer;
  try {
    server = await startBuiltServer({
      logFile: join(runDir, "server.log"),
      settings: {
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        MASTER_KEY: masterKey,
        SETUP_ADMIN_EMAIL: admin.email,
        SETUP_ADMIN_PASSWORD: admin.password,
        // More than measurements fill in and send.
        MAX_RELEASES: "100000000",
        MAX_DAILY_CHANGES: "1000000000",
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
    const createToken = async (scopes?: readonly string[]): Promise<string> => {
      const created = await command("config/create-api-token", {
        name: "bench",
        appId: app.id,
        environmentId: environment.id,
        identifiers: ["server"],
        validUntil: new Date(Date.now() + 86_400_000).toISOString(),
        ...(scopes && { scopes }),
      });
      return created.token;
    };
    const token = await createToken();
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
      masterKey,
      createToken,
      command,
      query,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
