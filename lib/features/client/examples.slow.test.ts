import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { signAnswer } from "@/lib/auth/answer-signature";
import { ensureServerKeys, publicKeys } from "@/lib/auth/server-keys";
import type { Scope } from "@/lib/permissions/scopes";
import { configure } from "@/lib/testing/client";
import { anApp, aToken } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getConfiguration } from "./operations/get-configuration";
import { type ExampleLanguage, exampleWith, stringLiteral } from "./rules";

// The examples run as the configuration dialogs show them.

setUpTestDatabase();

type Command = [string, ...string[]];

interface Tool {
  language: ExampleLanguage;
  file: string;
  /** Shows that the tool is on the machine. */
  probe: Command;
  /** Compiles the file of a folder. */
  build?(folder: string): Command;
  run(folder: string): Command;
  /** A program that prints texts as hexadecimal UTF-8, one a line. */
  printHex(literals: readonly string[]): string;
}

const TOOLS: Tool[] = [
  {
    language: "curl",
    file: "configuration.sh",
    probe: ["bash", "-c", "curl --version && jq --version && openssl version | grep 'OpenSSL [3-9]'"],
    run: (folder) => ["bash", join(folder, "configuration.sh")],
    printHex: (literals) =>
      `"$NODE" -e 'for (const text of process.argv.slice(1)) console.log(Buffer.from(text).toString("hex"))' -- ${literals.join(" ")}`,
  },
  {
    language: "typescript",
    file: "configuration.mts",
    probe: [process.execPath, "--version"],
    run: (folder) => [process.execPath, "--no-warnings", join(folder, "configuration.mts")],
    printHex: (literals) => `for (const text of [${literals}]) console.log(Buffer.from(text).toString("hex"));`,
  },
  {
    language: "python",
    file: "configuration.py",
    probe: ["python3", "-c", "import cryptography"],
    run: (folder) => ["python3", join(folder, "configuration.py")],
    printHex: (literals) => `for text in [${literals}]:\n    print(text.encode().hex())`,
  },
  {
    language: "go",
    file: "configuration.go",
    probe: ["go", "version"],
    build: (folder) => ["go", "build", "-o", join(folder, "configuration"), join(folder, "configuration.go")],
    run: (folder) => [join(folder, "configuration")],
    printHex: (literals) =>
      `package main\nimport "fmt"\nfunc main() { for _, text := range []string{${literals}} { fmt.Printf("%x\\n", text) } }`,
  },
  {
    language: "java",
    file: "Configuration.java",
    probe: ["javac", "-version"],
    build: (folder) => ["javac", "-encoding", "UTF-8", "-d", folder, join(folder, "Configuration.java")],
    run: (folder) => ["java", "-XX:TieredStopAtLevel=1", "-cp", folder, "Configuration"],
    printHex: (literals) =>
      `class Configuration { public static void main(String[] args) { for (var text : new String[] {${literals}}) System.out.println(
        java.util.HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))); } }`,
  },
];

const VARIABLES = { GREETING: "¡Hola!\n  'two' \"lines\"" };
const SECRETS = { SECRET: "s€cret" };
const ENVIRONMENT = 'QA "Süd"';
const IDENTIFIER = "com.acme.app";
const KEPT = "slipway-configuration.json";

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const root = mkdtempSync(join(tmpdir(), "slipway-examples-"));
const newFolder = () => mkdtempSync(join(root, "folder-"));
let server: TestServer;
let network: { url: string; close(): void };
/** What somebody between the example and the console does with an answer; null cuts the connection. */
let onTheWay: (answer: Answer, headers: IncomingHttpHeaders) => Promise<Answer | null>;
/** What the console answered, and to what. */
let passed: { status: number; identifier: unknown }[] = [];
let environmentId: string;
let tokens: { server: string; app: string };
let publicKey: string;

beforeAll(async () => {
  await ensureServerKeys();
  publicKey = (await publicKeys()).find(({ use }) => use === "sig")?.x as string;
  const { appId, environmentIds } = await anApp({ environments: [{ name: ENVIRONMENT }] });
  environmentId = environmentIds[0] as string;
  const scopes: Scope[] = ["environment:read", "dev-variable:read", "secure-variable:read"];
  const tokenOf = async (identifier: string) =>
    (await aToken({ appId, environmentId, scopes, identifiers: [identifier] })).token;
  tokens = { server: await tokenOf("server"), app: await tokenOf(IDENTIFIER) };
  await configure(environmentId, [
    { kind: "dev-variable", key: "GREETING", value: VARIABLES.GREETING },
    { kind: "secure-variable", key: "SECRET", value: SECRETS.SECRET },
  ]);
  server = await serveOperations([getConfiguration]);
  network = await aNetwork(server.url);
});

beforeEach(() => {
  passed = [];
  onTheWay = async (answer) => answer;
});

afterAll(async () => {
  await server.close();
  network.close();
  rmSync(root, { recursive: true, force: true });
});

async function aNetwork(origin: string): Promise<typeof network> {
  const proxy = createServer(async ({ url, headers }, outgoing) => {
    const names = ["authorization", "x-app-identifier", "x-nonce", "if-none-match"];
    const sent = Object.entries(headers).filter(([name]) => names.includes(name)) as [string, string][];
    const response = await fetch(origin + url, { headers: sent });
    passed.push({ status: response.status, identifier: headers["x-app-identifier"] });
    const answer = await onTheWay(
      {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      },
      headers,
    );
    if (answer === null) return outgoing.destroy();
    outgoing.writeHead(answer.status, answer.headers).end(answer.status === 304 ? undefined : answer.body);
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

const execute = ([command, ...args]: Command, options: { cwd?: string; env?: Record<string, string> } = {}) =>
  promisify(execFile)(command, args, { ...options, env: { ...process.env, NODE: process.execPath, ...options.env } });

/** Writes and compiles a program. @returns runs it */
async function compile({ file, build, run }: Tool, code: string) {
  const folder = newFolder();
  writeFileSync(join(folder, file), code);
  if (build) await execute(build(folder));
  return (options?: Parameters<typeof execute>[1]) => execute(run(folder), options);
}

for (const tool of TOOLS) {
  describeWith(presence(tool), `the example in ${tool.language}`, (present) => {
    let program: Awaited<ReturnType<typeof compile>>;
    /** What the first run printed, what it received, and the folder in which it ran. */
    let first: { stdout: string; answer: Answer; folder: string };
    /** The working directory, which keeps the last configuration. */
    let cwd: string;
    const read = (token = tokens.server, env = {}) => program({ cwd, env: { SLIPWAY_TOKEN: token, ...env } });
    const codeFor = (identifier: string | null) => {
      const values = { baseUrl: network.url, environmentName: ENVIRONMENT, publicKey, identifier };
      return exampleWith(present.language, values);
    };

    beforeAll(async () => {
      program = await compile(present, codeFor(null));
      cwd = newFolder();
      let received: Answer | undefined;
      onTheWay = async (answer) => {
        received = answer;
        return answer;
      };
      const { stdout } = await read();
      first = { stdout, answer: received as Answer, folder: cwd };
    });
    beforeEach(() => {
      cwd = newFolder();
      cpSync(first.folder, cwd, { recursive: true });
    });

    it("prints the configuration and keeps it for its user alone", () => {
      expect(JSON.parse(first.stdout)).toMatchObject({
        environment: { id: environmentId, name: ENVIRONMENT },
        configurationVersion: 1,
        variables: VARIABLES,
        secureVariables: SECRETS,
      });
      expect(statSync(join(first.folder, KEPT)).mode & 0o077).toBe(0);
    });

    it("prints the same when the console says that nothing has changed", async () => {
      const { stdout } = await read();
      expect(JSON.parse(stdout)).toEqual(JSON.parse(first.stdout));
      expect(passed).toEqual([{ status: 304, identifier: undefined }]);
    });

    it("sends the identifier of an app", async () => {
      cwd = newFolder();
      const ofApp = await compile(present, codeFor(IDENTIFIER));
      const { stdout } = await ofApp({ cwd, env: { SLIPWAY_TOKEN: tokens.app } });
      expect(JSON.parse(stdout)).toMatchObject({ variables: VARIABLES });
      expect(passed).toEqual([{ status: 200, identifier: IDENTIFIER }]);
    });

    it("refuses a response that somebody has changed", async () => {
      cwd = newFolder();
      onTheWay = async (answer) => ({ ...answer, body: Buffer.from(answer.body.toString().replace("Hola", "Hela")) });
      await expect(read()).rejects.toMatchObject({ stdout: "" });
      expect(passed).toMatchObject([{ status: 200 }]);
    });

    it("refuses the response to an earlier request", async () => {
      onTheWay = async () => first.answer;
      await expect(read()).rejects.toMatchObject({ stdout: "" });
      expect(passed).toHaveLength(1);
    });

    it("refuses a problem that somebody presents as a success", async () => {
      onTheWay = async (answer) => ({ ...answer, status: 200 });
      await expect(read("slw_unknown")).rejects.toMatchObject({ stdout: "" });
      expect(passed).toMatchObject([{ status: 401 }]);
      onTheWay = async (answer) => answer;
      expect(JSON.parse((await read()).stdout)).toEqual(JSON.parse(first.stdout));
    });

    it("refuses the confirmation of another configuration", async () => {
      onTheWay = async ({ headers }, { "x-nonce": nonce }) => {
        const facts = { url: "/api/client/get-configuration", nonce: nonce as string, now: new Date() };
        const signature = await signAnswer(new Uint8Array(), { ...facts, etag: '"other"' });
        return { status: 304, headers: { ...headers, etag: '"other"', "x-signature": signature }, body: Buffer.of() };
      };
      await expect(read()).rejects.toMatchObject({ stdout: "" });
    });

    it("says of which environment a token is not", async () => {
      // What a person reads is in the encoding of their terminal.
      await expect(read("slw_unknown", { LC_ALL: "C.UTF-8" })).rejects.toMatchObject({
        stdout: "",
        stderr: expect.stringContaining(ENVIRONMENT),
      });
      expect(passed).toMatchObject([{ status: 401 }]);
    });

    it("waits and asks again when it has asked too often", async () => {
      let refusals = 1;
      onTheWay = async (answer, { "x-nonce": nonce }) => {
        if (refusals-- <= 0) return answer;
        const body = Buffer.from('{"code":"rate_limited"}');
        const facts = { url: "/api/client/get-configuration", nonce: nonce as string, now: new Date() };
        const signature = await signAnswer(body, facts);
        return { status: 429, headers: { "retry-after": "0", "x-signature": signature }, body };
      };
      expect(JSON.parse((await read()).stdout)).toMatchObject({ variables: VARIABLES });
      expect(passed).toHaveLength(2);
    });

    it("prints the last configuration while the console cannot be reached, and nothing if there is none", async () => {
      onTheWay = async () => null;
      expect(JSON.parse((await read()).stdout)).toEqual(JSON.parse(first.stdout));
      onTheWay = async () => ({ status: 502, headers: {}, body: Buffer.from("<html>") });
      expect(JSON.parse((await read()).stdout)).toEqual(JSON.parse(first.stdout));
      cwd = newFolder();
      await expect(read()).rejects.toMatchObject({ stdout: "" });
    });

    it("has literals that the language reads as the same text", async () => {
      const parts = fc.oneof(
        fc.constantFrom(
          "\\",
          '"',
          "'",
          "$",
          "$" + "{x}",
          "\\u0041",
          "\\u000a",
          "`",
          "\n",
          "\r",
          "\t",
          "\u2028",
          "\u202e",
          "\ufeff",
          "%",
          "#{x}",
          "\\(x)",
          "*/",
          "//",
        ),
        fc.string({ unit: "binary", maxLength: 3 }).map((text) => text.replaceAll("\0", "")),
      );
      const texts = fc.sample(
        fc.array(parts, { maxLength: 8 }).map((some) => some.join("")),
        300,
      );
      const print = await compile(
        present,
        present.printHex(texts.map((text) => stringLiteral(present.language, text))),
      );
      const { stdout } = await print();
      expect(stdout.split("\n").slice(0, -1)).toEqual(
        texts.map((text) => Buffer.from(text.toWellFormed()).toString("hex")),
      );
    });
  });
}
