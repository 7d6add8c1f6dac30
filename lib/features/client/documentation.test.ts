import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureServerKeys, publicKeys } from "@/lib/auth/server-keys";
import { aServer, configure } from "@/lib/testing/client";
import { anApp } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getClientSecureVariables } from "./operations/get-secure-variables";

// The examples of docs/clients.md, run as they are printed there.

setUpTestDatabase();

const folder = mkdtempSync(join(tmpdir(), "slipway-clients-"));
const text = readFileSync("docs/clients.md", "utf8");

function example(language: string): string {
  const found = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\`\n`).exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/clients.md has no example in ${language}`);
  return `${found}\n`;
}

interface Tool {
  language: string;
  file: string;
  /** Shows that the tool is on the machine. */
  probe: [string, ...string[]];
  run(path: string): [string, ...string[]];
}

const TOOLS: Tool[] = [
  {
    language: "bash",
    file: "verify.sh",
    probe: ["bash", "-c", "curl --version && jq --version && openssl version | grep 'OpenSSL [3-9]'"],
    run: (path) => ["bash", path],
  },
  {
    language: "ts",
    file: "verify.mts",
    probe: [process.execPath, "--version"],
    run: (path) => [process.execPath, "--no-warnings", path],
  },
  {
    language: "python",
    file: "verify.py",
    probe: ["python3", "-c", "import cryptography"],
    run: (path) => ["python3", path],
  },
  { language: "go", file: "verify.go", probe: ["go", "version"], run: (path) => ["go", "run", path] },
  {
    language: "java",
    file: "Main.java",
    probe: ["java", "-version"],
    run: (path) => ["java", path],
  },
];

let server: TestServer;
let tampering: { url: string; close(): void };
let token: string;
let key: string;

beforeAll(async () => {
  await ensureServerKeys();
  key = (await publicKeys()).find(({ use }) => use === "sig")?.x as string;
  const app = await anApp();
  const environmentId = app.environmentIds[0] as string;
  token = (await aServer({ app, environmentId })).token;
  await configure(environmentId, [{ kind: "secure-variable", key: "GREETING", value: "¡Hola!" }]);
  server = await serveOperations([getClientSecureVariables]);
  tampering = await tamper(server.url);
});

afterAll(async () => {
  await server.close();
  tampering.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Someone between client and console, who changes one value. */
async function tamper(origin: string): Promise<{ url: string; close(): void }> {
  const proxy = createServer(async (incoming, outgoing) => {
    const headers = Object.entries(incoming.headers).filter(([name]) => ["authorization", "x-nonce"].includes(name));
    const response = await fetch(origin + incoming.url, { headers: Object.fromEntries(headers) as never });
    const body = (await response.text()).replace("Hola", "Hela");
    outgoing.setHeader("X-Signature", response.headers.get("x-signature") ?? "");
    outgoing.end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => proxy.close() };
}

function presence(tool: Tool): Tool | Error {
  const [command, ...args] = tool.probe;
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return tool;
  } catch {
    return new Error(`the tools of the example in ${tool.language} are not on this machine`);
  }
}

for (const tool of TOOLS) {
  describeWith(presence(tool), `the example in ${tool.language}`, ({ language, file, run }) => {
    const runAgainst = async (url: string) => {
      const path = join(folder, file);
      writeFileSync(path, example(language));
      const [command, ...args] = run(path);
      const env = { ...process.env, SLIPWAY_URL: url, SLIPWAY_TOKEN: token, SLIPWAY_PUBLIC_KEY: key };
      return promisify(execFile)(command, args, { cwd: folder, env });
    };

    it("reads the variables of an environment and verifies their signature", async () => {
      const { stdout } = await runAgainst(server.url);
      expect(JSON.parse(stdout)).toEqual({ configurationVersion: 1, variables: { GREETING: "¡Hola!" } });
    }, 120_000);

    it("refuses a response that somebody has changed", async () => {
      await expect(runAgainst(tampering.url)).rejects.toThrow();
    }, 120_000);
  });
}
