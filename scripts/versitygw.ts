import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findFreePort } from "./lib/ports.mjs";

const PACKAGE = "github.com/versity/versitygw/cmd/versitygw@latest";
const BINARY = process.platform === "win32" ? "versitygw.exe" : "versitygw";
const CACHE = fileURLToPath(new URL("../node_modules/.cache/versitygw/", import.meta.url));
const READY_SECONDS = 15;

/** An S3 server to test against. */
export interface S3Server {
  /** `http://127.0.0.1:<port>` */
  endpoint: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Stops the server and deletes its data. Does nothing for a server of S3_TEST_ENDPOINT. */
  stop(): Promise<void>;
}

/** A versitygw process, which can be killed and restarted. */
export interface OwnS3Server extends S3Server {
  /** The folders with its buckets, and with their metadata. */
  folders: string[];
  pid(): number;
  /** Kills it with SIGKILL, like a power failure. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}, at the same address and with its data. */
  start(): Promise<void>;
}

/** No S3 server is available. The message is the reason, which the summary of skipped tests prints. */
export class NoS3Server extends Error {}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function findOnPath(name: string, more: string[] = []): Promise<string | undefined> {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...more].filter(Boolean)) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** Builds the server in a temporary folder and renames it into the cache, so that concurrent runs do not interfere. */
async function build(): Promise<string> {
  const go = await findOnPath(process.platform === "win32" ? "go.exe" : "go", ["/usr/local/go/bin"]);
  if (!go) throw new NoS3Server("neither S3_TEST_ENDPOINT nor versitygw nor Go, which could build it, is here");
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "build-"));
  try {
    await promisify(execFile)(go, ["install", "-ldflags=-s -w", PACKAGE], {
      env: { HOME: homedir(), ...process.env, GOBIN: folder, CGO_ENABLED: "0" },
      timeout: 15 * 60_000,
    });
    await rename(join(folder, BINARY), join(CACHE, BINARY));
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr || error).trim();
    throw new NoS3Server(`versitygw could not be built: ${reason.slice(-300)}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return join(CACHE, BINARY);
}

let binary: Promise<string> | undefined;

/**
 * Finds the versitygw program: on the PATH, else in the cache, else builds it with Go, which takes a minute or two.
 * @returns its path
 * @throws NoS3Server
 */
export async function findVersitygw(): Promise<string> {
  binary ??= (async () => {
    const cached = join(CACHE, BINARY);
    return (await findOnPath(BINARY)) ?? ((await isExecutable(cached)) ? cached : build());
  })();
  return binary;
}

/** Starts versitygw on a free port of the loopback address, with its buckets in a temporary folder. @throws NoS3Server */
export async function startVersitygw(): Promise<OwnS3Server> {
  const program = await findVersitygw();
  const folder = await mkdtemp(join(tmpdir(), "slipway-s3-"));
  const [buckets, metadata] = [join(folder, "buckets"), join(folder, "metadata")];
  for (const path of [buckets, metadata]) await mkdir(path);
  const port = await findFreePort("127.0.0.1");
  const accessKey = randomBytes(10).toString("hex");
  const secretKey = randomBytes(20).toString("hex");
  const endpoint = `http://127.0.0.1:${port}`;
  // Metadata is stored in files, since not every file system of temporary folders has extended attributes.
  const options = ["--port", `127.0.0.1:${port}`, "--quiet", "--keep-alive", "posix", "--sidecar", metadata, buckets];
  let running = await launch(program, options, endpoint, { accessKey, secretKey });
  return {
    endpoint,
    region: "us-east-1",
    accessKey,
    secretKey,
    folders: [buckets, metadata],
    pid: () => running.pid,
    kill: () => running.kill(),
    async start() {
      running = await launch(program, options, endpoint, { accessKey, secretKey });
    },
    async stop() {
      await running.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the program and waits until it responds. @throws NoS3Server */
async function launch(
  program: string,
  options: string[],
  endpoint: string,
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
): Promise<{ pid: number; kill(): Promise<void> }> {
  const child = spawn(program, options, {
    env: { ...process.env, ROOT_ACCESS_KEY_ID: accessKey, ROOT_SECRET_ACCESS_KEY: secretKey },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errorOutput = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk).slice(-500);
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      errorOutput ||= error.message;
      resolve();
    });
  });
  // An interrupted run must not leave the server running.
  const killNow = () => void child.kill("SIGKILL");
  process.once("exit", killNow);
  const kill = async () => {
    process.off("exit", killNow);
    killNow();
    await exited;
  };

  const deadline = Date.now() + READY_SECONDS * 1000;
  for (;;) {
    const ended = await Promise.race([exited.then(() => true), sleep(50, false)]);
    const responds =
      !ended &&
      (await fetch(endpoint).then(
        () => true,
        () => false,
      ));
    if (responds && child.pid !== undefined) return { pid: child.pid, kill };
    if (ended || Date.now() > deadline) {
      await kill();
      throw new NoS3Server(`versitygw did not start: ${errorOutput.trim() || "no response"}`);
    }
  }
}

/**
 * Returns the S3 server to test against: the one of `S3_TEST_ENDPOINT` (with `S3_TEST_ACCESS_KEY_ID`,
 * `S3_TEST_SECRET_ACCESS_KEY` and optionally `S3_TEST_REGION`), else a new versitygw.
 * @throws NoS3Server
 */
export async function startTestS3(): Promise<S3Server> {
  const endpoint = process.env.S3_TEST_ENDPOINT;
  if (!endpoint) return startVersitygw();
  const accessKey = process.env.S3_TEST_ACCESS_KEY_ID ?? process.env.S3_ACCESS_KEY_ID;
  const secretKey = process.env.S3_TEST_SECRET_ACCESS_KEY ?? process.env.S3_SECRET_ACCESS_KEY;
  if (!accessKey || !secretKey) {
    throw new NoS3Server("S3_TEST_ENDPOINT is set without S3_TEST_ACCESS_KEY_ID and S3_TEST_SECRET_ACCESS_KEY");
  }
  return { endpoint, region: process.env.S3_TEST_REGION ?? "us-east-1", accessKey, secretKey, stop: async () => {} };
}

/** Like {@link startTestS3}, but returns the error if there is no S3 server. */
export function findTestS3(): Promise<S3Server | NoS3Server> {
  return startTestS3().catch(orNoServer);
}

/** Like {@link startVersitygw}, but returns the error if there is no versitygw. */
export function tryVersitygw(): Promise<OwnS3Server | NoS3Server> {
  return startVersitygw().catch(orNoServer);
}

function orNoServer(error: unknown): NoS3Server {
  if (error instanceof NoS3Server) return error;
  throw error;
}
