import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { WEBHOOK_SECRET } from "@/lib/testing/webhooks";
import { findFreePort } from "@/scripts/lib/ports.mjs";
import { signedHeaders } from "./signature";

const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** The example of `docs/webhooks.md` in a language. */
async function example(language: string): Promise<string> {
  const guide = await readFile("docs/webhooks.md", "utf8");
  return guide.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
}

/** Starts the example, and returns how it answers a message. */
async function startExample(language: string, command: string, fileName: string) {
  // Within the project, so that the example finds its package.
  const folder = await mkdtemp(join(process.cwd(), "node_modules", ".cache-receiver-"));
  folders.push(folder);
  const file = join(folder, fileName);
  await writeFile(file, await example(language));
  const port = await findFreePort("127.0.0.1");
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET };
  children.push(spawn(command, [file], { env: env as unknown as NodeJS.ProcessEnv }));
  const url = `http://127.0.0.1:${port}/`;
  const post = (body: string, headers: Record<string, string>) => fetch(url, { method: "POST", body, headers });
  await expect.poll(() => post("", {}).catch(() => null), { timeout: 20_000 }).not.toBeNull();
  return async (body: string, headers: Record<string, string>) => (await post(body, headers)).status;
}

/** What verifies a message with the library of PyPI: prints the type of the event, or the name of the error. */
const PYTHON_WITNESS = `
import json, sys
from standardwebhooks.webhooks import Webhook
given = json.load(sys.stdin)
try:
    print(Webhook(given["secret"]).verify(given["body"], given["headers"])["type"])
except Exception as error:
    print(type(error).__name__)
`;

it("the library of Standard Webhooks on PyPI accepts a message of the console, and refuses a changed one", async (context) => {
  const folder = join(process.cwd(), "node_modules", ".cache", "python-standardwebhooks");
  const python = (...words: string[]) => spawnSync("python3", words, { encoding: "utf8", timeout: 120_000 });
  if (python("--version").status !== 0) context.skip("python3 is not installed");
  if (!existsSync(join(folder, "standardwebhooks"))) {
    const { status } = python("-m", "pip", "install", "--quiet", "--target", folder, "standardwebhooks==1.1.0");
    if (status !== 0) context.skip("pip cannot install standardwebhooks: without a network or without pip");
  }
  const body = JSON.stringify({ type: "release.deleted", timestamp: new Date().toISOString(), data: {} });
  const headers = signedHeaders({ id: "msg_1", at: new Date(), body }, [WEBHOOK_SECRET]);
  const verdict = (given: object) =>
    spawnSync("python3", ["-c", PYTHON_WITNESS], {
      encoding: "utf8",
      input: JSON.stringify({ secret: WEBHOOK_SECRET, body, headers, ...given }),
      env: { PATH: process.env.PATH, PYTHONPATH: folder } as unknown as NodeJS.ProcessEnv,
    });
  expect(verdict({})).toMatchObject({ status: 0, stdout: "release.deleted\n" });
  expect(verdict({ body: `${body} ` }).stdout).toBe("WebhookVerificationError\n");
  const other = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  expect(verdict({ secret: other }).stdout).toBe("WebhookVerificationError\n");
});

describe.each([
  ["js", process.execPath, "receiver.mjs"],
  ["python", "python3", "receiver.py"],
])("the example of a receiver in %s", (language, command, fileName) => {
  it("accepts a message of the console, and refuses a changed one and one of another secret", async (context) => {
    if (spawnSync(command, ["--version"]).status !== 0) context.skip(`${command} is not installed`);
    const answer = await startExample(language, command, fileName);
    const body = JSON.stringify({ type: "release.deleted", timestamp: new Date().toISOString(), data: {} });
    const message = { id: "msg_1", at: new Date(), body };
    const other = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    expect(await answer(body, signedHeaders(message, [WEBHOOK_SECRET]))).toBe(204);
    expect(await answer(body, signedHeaders(message, [other, WEBHOOK_SECRET]))).toBe(204);
    expect(await answer(`${body} `, signedHeaders(message, [WEBHOOK_SECRET]))).toBe(401);
    expect(await answer(body, signedHeaders(message, [other]))).toBe(401);
  });
});
