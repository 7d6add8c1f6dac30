import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CompactEncrypt, importJWK, type JWK } from "jose";
import { makeIpa } from "@/lib/installers/testing/make-ipa";
import { type BuiltServer, startBuiltServer } from "../scripts/built-server.ts";
import { createRunDir, startThrowawayPostgres } from "../scripts/throwaway-postgres.ts";

/** A running console with one application, and what a benchmark needs to speak to it. */
export interface Bench {
  baseUrl: string;
  serverPid: number;
  /** A temporary folder for the benchmark's own files. */
  runDir: string;
  /** The administrator's session, as a Cookie header. */
  cookie: string;
  appId: string;
  environmentId: string;
  identifier: string;
  /** An API token of the environment with the identifier `server`. */
  token: string;
  stop(): Promise<void>;
}

const IDENTIFIER = "com.example.bench";

async function post(server: BuiltServer, path: string, body: object | FormData, cookie = ""): Promise<Response> {
  const form = body instanceof FormData;
  const answer = await fetch(`${server.url}/api/${path}`, {
    method: "POST",
    headers: { origin: server.url, cookie, ...(!form && { "content-type": "application/json" }) },
    body: form ? body : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Signs in as a browser does. @returns the session as a Cookie header */
async function signIn(server: BuiltServer, admin: { email: string; password: string }): Promise<string> {
  const { nonce, keys } = (await (await fetch(`${server.url}/api/config/get-public-key`)).json()) as {
    nonce: string;
    keys: JWK[];
  };
  const jwk = keys.find((key) => key.use === "enc") as JWK;
  const password = await new CompactEncrypt(Buffer.from(JSON.stringify({ password: admin.password, nonce })))
    .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM", kid: jwk.kid })
    .encrypt(await importJWK(jwk, "RSA-OAEP-256"));
  const answer = await post(server, "auth/email-login", { email: admin.email, password });
  return (answer.headers.get("set-cookie") as string).split(";")[0] as string;
}

/** Starts the built console with a database of its own, an application with one release, and a token for it. */
export async function startBench(): Promise<Bench> {
  const runDir = await createRunDir();
  const work = join(runDir, "bench");
  mkdirSync(work);
  const admin = { email: "bench@example.test", password: randomBytes(18).toString("base64url") };
  const dataDir = join(runDir, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const postgres = await startThrowawayPostgres(runDir);
  const server = await startBuiltServer({
    logFile: join(runDir, "server.log"),
    settings: {
      DATABASE_URL: await postgres.createDatabase({ empty: true }),
      DATA_DIR: dataDir,
      MASTER_KEY: randomBytes(32).toString("base64"),
      SETUP_ADMIN_EMAIL: admin.email,
      SETUP_ADMIN_PASSWORD: admin.password,
    },
  });
  const cookie = await signIn(server, admin);
  const created = async (path: string, body: object | FormData) => (await post(server, path, body, cookie)).json();
  const app = await created("apps/create-app", { name: "Bench", identifier: IDENTIFIER });
  const environment = await created("apps/create-environment-app", { appId: app.id, name: "Bench", status: "active" });
  const { token } = await created("config/create-api-token", {
    name: "bench",
    appId: app.id,
    environmentId: environment.id,
    identifiers: ["server"],
    validUntil: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const release = new FormData();
  release.append("environmentId", environment.id);
  release.append("description", "The first one");
  release.append("file", new Blob([makeIpa({ identifier: IDENTIFIER })]), "bench.ipa");
  await created("apps/create-testing-deploy", release);
  return {
    baseUrl: server.url,
    serverPid: server.pid,
    runDir: work,
    cookie,
    appId: app.id,
    environmentId: environment.id,
    identifier: IDENTIFIER,
    token,
    stop: async () => {
      await server.stop();
      await postgres.destroy();
    },
  };
}
