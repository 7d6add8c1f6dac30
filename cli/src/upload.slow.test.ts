import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { writeIpa } from "@slipway/installers/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { operations } from "@/lib/operations";
import { StorageError } from "@/lib/storage/driver";
import { anApp, aSession, aToken, aUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { type FaultProxy, startFaultProxy, type Treatment } from "@/lib/testing/fault-proxy";
import { anApk, anIpa, sha256Of } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_CONCURRENT_PARTS } from "./lib/send-file";
import { cellsOf } from "./lib/text-width";
import { type Keyboard, runInTerminal, type TerminalOptions, terminal } from "./testing/terminal";
import { clockOffBy, collect, type RunOptions, setUpTool } from "./testing/tool";

setUpTestDatabase();
const tool = setUpTool();

let server: TestServer;
let app: Awaited<ReturnType<typeof anApp>>;
let token: string;

beforeAll(async () => {
  // The console signs what it answers about a token.
  await ensureServerKeys();
  server = await serveOperations(Object.values(operations));
  app = await anApp({ name: "Acme", environments: [{ name: "Testing" }, { name: "Staging" }] });
  const { userId } = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
  token = (await aSession(userId)).token;
});

afterAll(() => server.close());

/** Runs the tool as the user, with the console's address in the environment. */
function run(words: readonly string[], { env, ...options }: RunOptions = {}) {
  return tool.run(words, { env: { SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token, ...env }, ...options });
}

/** Writes an installer with unique content. */
function installer(name: string, bytes = anIpa(app.identifier)): { path: string; sha256: string } {
  const path = join(tool.folder, name);
  writeFileSync(path, bytes);
  return { path, sha256: sha256Of(bytes) };
}

/**
 * A network in front of the console that lets as many parts pass as are sent at once. Another part begins when one of them
 * has arrived: then it calls `halted` once, and holds all further parts back.
 */
async function networkThatHalts(halted: () => void): Promise<FaultProxy> {
  const network = await startFaultProxy(server.url);
  const begun = new Set<string>();
  let isHalted = false;
  network.treat(({ method, url }) => {
    if (method !== "PUT") return "pass";
    begun.add(url.href);
    if (begun.size <= MAX_CONCURRENT_PARTS) return "pass";
    if (!isHalted) halted();
    isHalted = true;
    return "hang";
  });
  return network;
}

describe("slipway upload", () => {
  it("takes its options from the environment, and those of the command line first", async () => {
    const { path } = installer("Variables.ipa");
    const env = {
      SLIPWAY_FILE: path,
      SLIPWAY_ENVIRONMENT: "Testing",
      SLIPWAY_NOTES: "Of the environment",
      SLIPWAY_BRANCH: "one",
      SLIPWAY_METADATA: "a=1\nb=2",
      SLIPWAY_MANDATORY: "false",
      SLIPWAY_TIMEOUT: "",
    };
    const { code, stdout, stderr } = await run(["upload", "--branch", "two", "--notes-file", "-", "--json"], {
      env,
      input: "Of the command line",
    });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      description: "Of the command line",
      metadata: { gitBranch: "two", a: "1", b: "2" },
      mandatory: false,
      qrUrl: expect.stringContaining("/api/apps/download-testing-deploy-qr-code?id="),
    });
  });

  it("writes the release as JSON, and sends the same bytes once", async () => {
    const { path, sha256 } = installer("Twice.ipa");
    const first = await run(["upload", path, "--environment", "Testing", "--json"]);
    expect(first.code, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ sha256, identifier: app.identifier });
    const second = await run(["upload", path, "--environment", "Testing", "--json"]);
    expect(JSON.parse(second.stdout)).toMatchObject({ id: JSON.parse(first.stdout).id, repeated: true });
  });

  it("says what a repeated upload does not change", async () => {
    const { path } = installer("Again.ipa");
    const words = ["upload", path, "--environment", "Testing"];
    expect((await run(words)).code).toBe(0);
    const more = ["--notes", "New", "--mandatory", "--metadata", "ticket=A-2"];
    const { code, stderr } = await run([...words, ...more]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(
      "Warning: It was published before, and this was not changed: the release notes, --mandatory, --metadata ticket. Change it in the console.",
    );
    expect((await run(words)).stderr).not.toContain("Warning: It was published before");
  });

  it("does not say of groups that they are ignored, because a repeated upload is distributed to them", async () => {
    const { userId } = await aUser({
      grants: [{ scopes: ["release:create", "release:update"], apps: [{ appId: app.appId }] }],
    });
    const env = { SLIPWAY_TOKEN: (await aSession(userId)).token };
    await db.testerGroup.create({ data: { id: newId(), appId: app.appId, name: "Beta", allEnvironments: true } });
    const words = ["upload", installer("Grouped.ipa").path, "--environment", "Testing"];
    expect((await run(words, { env })).code).toBe(0);
    const { code, stderr } = await run([...words, "--group", "Beta", "--no-notify", "--mandatory"], { env });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("this was not changed: --mandatory. Change");
  });

  it("publishes once where the console is busy, and where its answer is lost", async () => {
    const { path, sha256 } = installer("Busy.ipa");
    const { userId } = await aUser({
      grants: [{ scopes: ["release:create", "release:download"], apps: [{ appId: app.appId }] }],
    });
    const network = await startFaultProxy(server.url);
    const treatments: Treatment[] = [
      { status: 503 },
      // It is published, and the connection is cut in the middle of the answer.
      { change: (body) => body.subarray(0, 10), keepsLength: true },
    ];
    network.treat(({ url }) => (url.pathname.endsWith("/create-testing-deploy") && treatments.shift()) || "pass");
    const { code, stdout, stderr } = await run(["upload", path, "--environment", "Testing", "--json"], {
      env: { SLIPWAY_CONSOLE: network.url, SLIPWAY_TOKEN: (await aSession(userId)).token },
    });
    await network.close();
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ sha256, repeated: true });
    expect(treatments).toEqual([]);
    expect(stderr).toContain("Waiting for the server: ");
    expect(await db.release.count({ where: { file: { sha256 } } })).toBe(1);
  });

  it("warns of an API token that ends within 14 days", async () => {
    const environmentId = app.environmentIds[0] as string;
    const ending = await aToken({ appId: app.appId, environmentId, scopes: ["release:create"] });
    const validUntil = new Date(Date.now() + 3 * 86_400_000 + 3_600_000);
    await db.apiToken.update({ where: { id: ending.tokenId }, data: { validUntil } });
    const { path } = installer("Ending.ipa");
    const { code, stderr } = await run(["upload", path], { env: { SLIPWAY_TOKEN: ending.token } });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("Warning: The API token ends soon. Valid until ");
    expect(stderr).toContain("3 days left.");
  });

  it("takes the commit of the CI system for the notes where git is not installed, and otherwise says so", async () => {
    const { path } = installer("NoGit.ipa");
    const words = ["upload", path, "--environment", "Testing", "--notes-from-git", "--json"];
    const [nowhere, message] = [join(tool.folder, "nowhere"), "Fixes the login\n\nIn detail"];
    const inJob = await run(words, { env: { PATH: nowhere, GITLAB_CI: "true", CI_COMMIT_MESSAGE: message } });
    expect(inJob.code, inJob.stderr).toBe(0);
    expect(inJob.stderr).toContain(
      "git is not installed. The release notes are the subject of the commit that GitLab CI names.",
    );
    expect(JSON.parse(inJob.stdout).description).toBe("- Fixes the login");
    const elsewhere = await run(words, { env: { PATH: nowhere } });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringMatching(/^git is not installed\./)]);
    const outside = await run(words);
    expect(outside.stderr).toMatch(/^This folder is not in a git repository with commits\./);
  });

  it("takes console, application and environment from slipway.json", async () => {
    const { path } = installer("Project.ipa");
    const credential = { token, kind: "session", user: null, refreshedAt: Date.now() };
    mkdirSync(tool.configuration, { recursive: true, mode: 0o700 });
    const stored = { current: null, consoles: { [server.url]: credential } };
    writeFileSync(join(tool.configuration, "credentials.json"), JSON.stringify(stored), { mode: 0o600 });
    const project = { console: server.url, app: "Acme", environment: "Testing" };
    writeFileSync(join(tool.folder, "slipway.json"), JSON.stringify(project));
    const { code, stderr } = await tool.run(["upload", path]);
    writeFileSync(join(tool.folder, "slipway.json"), "{}");
    expect(code, stderr).toBe(0);
  });

  it("names the environments that exist where the named one does not", async () => {
    const { path } = installer("Where.ipa");
    const { code, stderr } = await run(["upload", path, "--environment", "Prod"]);
    expect([code, stderr]).toEqual([2, 'There is no environment "Prod".\nThe environments are: Testing, Staging\n']);
  });

  it("asks for the environment in words where several match and nobody can be asked", async () => {
    const { path } = installer("Several.ipa");
    const { code, stderr } = await run(["upload", path]);
    expect(code).toBe(2);
    expect(stderr).toContain("Name one with --environment");
  });

  it("refuses an installer of an application that is not there before a byte is sent", async () => {
    const before = await db.upload.count();
    const { path } = installer("Other.apk", await anApk("com.example.unknown"));
    const { code, stderr } = await run(["upload", path, "--environment", "Testing"]);
    expect(code).toBe(1);
    expect(stderr).toContain("No application with the identifier");
    expect(await db.upload.count()).toBe(before);
  });

  it("says that a token is wrong, and what to do", async () => {
    const { path } = installer("Wrong.ipa");
    const { code, stdout, stderr } = await run(["upload", path, "--json"], { env: { SLIPWAY_TOKEN: "x".repeat(43) } });
    expect(code).toBe(1);
    expect(stderr).toContain("slipway login");
    expect(stderr).toContain("While it is set, no sign-in is used.");
    expect(stderr + stdout).not.toContain("x".repeat(43));
    expect(JSON.parse(stdout)).toMatchObject({ status: 401, code: "session_expired" });
  });

  it("names the line and the field of a mistake in slipway.json", async () => {
    const { path } = installer("Typo.ipa");
    writeFileSync(join(tool.folder, "slipway.json"), '{\n  "enviroment": "Testing"\n}');
    const { code, stderr } = await run(["upload", path]);
    writeFileSync(join(tool.folder, "slipway.json"), "{}");
    expect(code).toBe(2);
    expect(stderr).toContain('slipway.json:2: the field "enviroment" is not known. Did you mean "environment"?');
  });

  it("continues after Ctrl-C with the parts that have arrived", async () => {
    const path = join(tool.folder, "Large.ipa");
    await writeIpa(path, { identifier: app.identifier, fillerBytes: 72 * 1024 * 1024 });
    const child = Promise.withResolvers<ChildProcess>();
    const network = await networkThatHalts(() => void child.promise.then((one) => one.kill("SIGINT")));
    const env = { SLIPWAY_CONSOLE: network.url };
    const words = ["upload", path, "--environment", "Testing"];
    const first = await run(words, { env, onStderr: (one) => child.resolve(one) });
    expect(first.code, first.stderr).toBe(130);
    expect(first.stderr).toContain("Run the same command again");
    network.treat(() => "pass");
    const second = await run(words, { env });
    await network.close();
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain("Continued an earlier upload");
    expect(second.stderr).toContain("the SHA-256 matches");
  });

  it("ends with 130 after Ctrl-C while the release is published, and publishes it once", async () => {
    const { path } = installer("Published.ipa");
    const words = ["upload", path, "--environment", "Testing", "--json"];
    const child = Promise.withResolvers<ChildProcess>();
    // Passes everything on, and holds the answer about the release back.
    const between = createServer((incoming, outgoing) => {
      const options = { method: incoming.method, headers: incoming.headers };
      const passed = request(`${server.url}${incoming.url}`, options, async (answer) => {
        if (incoming.url === "/api/apps/create-testing-deploy") return void (await child.promise).kill("SIGINT");
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
    const { port } = between.address() as AddressInfo;
    const first = await run(words, {
      env: { SLIPWAY_CONSOLE: `http://127.0.0.1:${port}` },
      onStderr: (one) => child.resolve(one),
    });
    between.closeAllConnections();
    between.close();
    expect(first.code, first.stderr).toBe(130);
    expect(first.stderr).toContain("The release may be published already.");
    const second = await run(words);
    expect(JSON.parse(second.stdout)).toMatchObject({ repeated: true });
  });

  it("shows what is published where the file for its outputs cannot be written", async () => {
    const { path } = installer("Outputs.ipa");
    const env = { SLIPWAY_OUTPUT_FILE: join(tool.folder, "missing", "outputs") };
    const { code, stdout, stderr } = await run(["upload", path, "--environment", "Testing"], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("outputs does not exist.")]);
    expect(stdout).toMatch(/^http\S+\n$/);
  });

  it("stops where the store of the console is full, and says so", async () => {
    const { path } = installer("Full.ipa");
    const fault = { method: "putPart", when: "before", error: new StorageError("full") } as const;
    const { code, stdout } = await withFault(fault, () => run(["upload", path, "--environment", "Testing", "--json"]));
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 507, code: "storage_full" });
  });

  it("waits for a server that restarts in the middle of the upload", async () => {
    const path = join(tool.folder, "Restart.ipa");
    await writeIpa(path, { identifier: app.identifier, fillerBytes: 50 * 1024 * 1024 });
    const other = await serveOperations(Object.values(operations));
    const network = await startFaultProxy(other.url);
    let again: Promise<TestServer> | undefined;
    network.treat(({ method }) => {
      if (method === "PUT") again ??= other.close().then(() => serveOperations(Object.values(operations), other.port));
      return "pass";
    });
    const { code, stderr } = await run(["upload", path, "--environment", "Testing"], {
      env: { SLIPWAY_CONSOLE: network.url },
    });
    await network.close();
    await (await again)?.close();
    expect(code, stderr).toBe(0);
    expect(again).toBeDefined();
  });
});

describe("a console that does not answer", () => {
  /** Serves one answer for everything. */
  async function foreign(answer: {
    status: number;
    headers?: Record<string, string>;
    body?: string;
  }): Promise<{ url: string; server: Server }> {
    const web = createServer((request, response) => {
      request.resume();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(web.address() as AddressInfo).port}`, server: web };
  }

  it.each([
    [
      "a web page of a proxy",
      { status: 200, headers: { "Content-Type": "text/html" }, body: "<h1>Sign in</h1>" },
      "it sent a web page",
    ],
    [
      "an error page of a proxy",
      { status: 403, headers: { "Content-Type": "text/html" }, body: "" },
      "it sent a web page with status 403",
    ],
    [
      "a redirection",
      { status: 301, headers: { Location: "https://slipway.example.com/api" } },
      "redirects to https://slipway.example.com",
    ],
    [
      "a proxy in front of a console that is not there",
      { status: 502, headers: { "Content-Type": "text/html" }, body: "" },
      "a proxy in front of it answered with status 502.\nThe console may be starting. Try again in a minute.",
    ],
  ])("ends the tool with 3 for %s", async (_what, answer, words) => {
    const { url, server: web } = await foreign(answer);
    const { code, stderr } = await run(["upload", installer("Proxy.ipa").path], { env: { SLIPWAY_CONSOLE: url } });
    web.close();
    expect(code).toBe(3);
    expect(stderr).toContain(words);
  });

  it("ends the tool with 3 where nothing listens", async () => {
    const { url, server: web } = await foreign({ status: 200 });
    await new Promise((resolve) => web.close(resolve));
    const { code, stderr } = await run(["upload", installer("Down.ipa").path], { env: { SLIPWAY_CONSOLE: url } });
    expect([code, stderr.trim()]).toEqual([3, `${url} cannot be reached: nothing listens there.`]);
  });

  it("says so where a console without HTTPS is called over HTTPS", async () => {
    const { url, server: web } = await foreign({ status: 200 });
    const wrong = url.replace("http:", "https:");
    const { code, stderr } = await run(["upload", installer("Plain.ipa").path], { env: { SLIPWAY_CONSOLE: wrong } });
    web.close();
    expect([code, stderr.trim()]).toEqual([
      3,
      `${wrong} cannot be reached: it does not answer in HTTPS; its address may begin with http://.`,
    ]);
  });
});

describe("a clock that is hours off", () => {
  it.each([-5, 7, 24 * 400, -24 * 400])("does no harm to an upload (%i hours)", async (hours) => {
    const { path, sha256 } = installer(`Clock${hours}.ipa`);
    const words = ["upload", path, "--environment", "Testing", "--json"];
    const { code, stdout, stderr } = await run(words, { env: clockOffBy(hours) });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ sha256 });
  });
});

/** The options of unshare (util-linux) to run a program apart, or an error that says what this machine does not allow. */
function unshared(options: readonly string[], does: string): readonly string[] | Error {
  try {
    execFileSync("unshare", [...options, "true"], { stdio: "ignore" });
    return options;
  } catch {
    return new Error(`unshare of util-linux may not ${does} on this machine`);
  }
}

/** Runs a program without a network. */
const offline = unshared(["--map-root-user", "--net"], "take the network away");

describeWith(offline, "without a network", (words) => {
  it.each([
    ["http://192.0.2.1", "this machine has no way to it"],
    ["https://slipway.example.com", "the DNS did not answer"],
  ])("an upload to %s ends with 3 and says so", async (url, reason) => {
    const command = [...words, process.execPath, tool.file, "upload", installer("Offline.ipa").path];
    const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, SLIPWAY_CONSOLE: url, SLIPWAY_TOKEN: token };
    const { code, stderr } = await collect(spawn("unshare", command, { env, cwd: tool.folder }));
    expect([code, stderr]).toEqual([3, `${url} cannot be reached: ${reason}.\nCheck the network of this machine.\n`]);
  });
});

/** Runs a program as a user that the system does not know. */
const unknownUser = unshared(["--map-user=54321"], "change the user");

describeWith(unknownUser, "a user without a home folder", (words) => {
  const runAs = (command: readonly string[], env: Record<string, string>) => {
    const environment = { PATH: process.env.PATH ?? "", NODE_ENV: "production" as const, ...env };
    return collect(
      spawn("unshare", [...words, process.execPath, tool.file, ...command], { cwd: tool.folder, env: environment }),
    );
  };

  it("publishes with a token", async () => {
    const { path } = installer("Homeless.ipa");
    const env = { SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token };
    const { code, stderr } = await runAs(["upload", path, "--environment", "Testing"], env);
    expect(code, stderr).toBe(0);
  });

  it("hears that no console is known", async () => {
    const { code, stderr } = await runAs(["whoami"], { SLIPWAY_TOKEN: token });
    expect([code, stderr]).toEqual([2, expect.stringContaining("No console is named.")]);
  });
});

describe("the command line", () => {
  it.each([
    [["uplod"], 'There is no command "uplod". Did you mean `upload`?'],
    [["xyzzy"], 'There is no command "xyzzy". `slipway --help` lists them.'],
    [["upload", "--enviroment", "x", "a.ipa"], "There is no option --enviroment. Did you mean --environment?"],
    [["upload"], "file"],
    [["inspect"], "<file> is missing."],
    [["inspect", "a.ipa", "b.ipa"], '"b.ipa" is too much: the command does not take it.'],
    [["upload", "a.ipa", "--notes"], "--notes needs a value."],
    [["upload", "a.ipa", "--timeout", "soon"], '"soon" is wrong for timeout: write a duration as 90s, 30m or 2h.'],
    [["variables", "pull", "--format", "xml"], '"xml" is wrong for --format: write dotenv or json or yaml.'],
  ])("ends with 2 for %j", async (words, message) => {
    const { code, stderr } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("says in words that Node.js is too old, before it needs anything of it", async () => {
    const program = `Object.defineProperty(process.versions, "node", { value: "18.20.4" });`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
    const { code, stdout, stderr } = await tool.run(["--version"], { env });
    expect([code, stdout, stderr]).toEqual([2, "", "slipway needs Node.js 20.12 or later. This is Node.js 18.20.4.\n"]);
    // Other imports are linked before the first line runs.
    expect(readFileSync(tool.file, "utf8").match(/^import .*$/gm)).toEqual(['import { createRequire } from "module";']);
  });

  it.each([
    ["releases", "download"],
    ["releases", "diff"],
  ])("begins the help of %s %s with its summary", async (...words) => {
    const { stdout } = await tool.run([...words, "--help"]);
    expect(stdout).toMatch(/^(Download the installer of a release|Compare a release with the one before)\.\n\n/);
  });

  it.each(["bash", "zsh", "fish"])("writes the completion script of %s", async (shell) => {
    const { code, stdout } = await tool.run(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("slipway propose --");
  });
});

describeWith(terminal, "in a terminal", (program) => {
  const inTerminal = (words: string[], { env, ...options }: TerminalOptions) =>
    runInTerminal(program, tool, words, {
      env: { SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token, ...env },
      ...options,
    });
  const ESC = "\u001b";

  it("shows progress in one line, the install link and its QR code", async () => {
    const { path } = installer("Terminal.ipa");
    const { code, stdout } = await inTerminal(["upload", path, "--environment", "Testing"], {});
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(`\r${ESC}[2K`);
    expect(stdout).toContain("▀");
    expect(stdout).toContain(`${ESC}[32m✓`);
  });

  it("breaks the lines of help, tables and errors between words", async () => {
    for (const columns of [40, 80, 120]) {
      for (const words of [
        ["--help"],
        ["upload", "--help"],
        ["releases", "list", "--environment", "Testing"],
        ["doctor"],
      ]) {
        const { stdout } = await inTerminal(words, { columns });
        for (const line of stdout.split("\r\n")) {
          const fits = cellsOf(line) <= columns || /[\w/:.-]{20,}$/.test(line);
          expect(fits, `${words.join(" ")} in ${columns}: ${line}`).toBe(true);
        }
      }
    }
    const { stdout } = await inTerminal(["upload", "--enviroment", "x", "a.ipa"], { columns: 40 });
    expect(stdout).toContain("--environment");
    for (const line of stdout.split("\r\n")) expect(cellsOf(line)).toBeLessThanOrEqual(40);
  });

  it("has no colours where NO_COLOR is set", async () => {
    const { stdout } = await inTerminal(["upload", "missing.ipa"], { env: { NO_COLOR: "1" } });
    expect(stdout).toContain("missing.ipa does not exist.");
    expect(stdout).not.toContain(ESC);
  });

  it("fits 40 columns and uses only ASCII characters without UTF-8", async () => {
    const { path } = installer("Narrow.ipa");
    const { code, stdout } = await inTerminal(["upload", path, "--environment", "Testing"], {
      columns: 40,
      env: { LANG: "C" },
    });
    expect(code, stdout).toBe(0);
    const lines = stdout.split(`\r${ESC}[2K`).slice(1, -1);
    for (const line of lines) expect(line.length).toBeLessThan(40);
    expect(stdout).not.toMatch(/[█▀✓]/);
    const help = await inTerminal(["upload", "--help"], { columns: 40, env: { LANG: "C" } });
    expect(help.stdout).toContain("installer's identifier");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
    expect(help.stdout).toMatch(/^[\u0000-\u007f]+$/);
  });

  it("asks in ASCII characters without UTF-8", async () => {
    const { path } = installer("Asked.ipa");
    let typed = false;
    const { code, stdout } = await inTerminal(["upload", path], {
      env: { LANG: "C" },
      onOutput: (keyboard, shown) => {
        if (typed || !shown.includes("Testing")) return;
        typed = true;
        keyboard.write("\r");
      },
    });
    expect(code, stdout).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
    expect(stdout).toMatch(/^[\u0000-\u007f]+$/);
  });

  it("ends with 130 after Ctrl-C, leaves the terminal as it was, and continues the next time", async () => {
    const path = join(tool.folder, "Typed.ipa");
    await writeIpa(path, { identifier: app.identifier, fillerBytes: 72 * 1024 * 1024 });
    const words = ["upload", path, "--environment", "Testing"];
    const keyboard = Promise.withResolvers<Keyboard>();
    const network = await networkThatHalts(() => void keyboard.promise.then((one) => one.write("\u0003")));
    const env = { SLIPWAY_CONSOLE: network.url };
    const { code, stdout, restored } = await inTerminal(words, { env, onOutput: (one) => keyboard.resolve(one) });
    expect(code, stdout).toBe(130);
    expect(stdout).toContain("Run the same command again");
    expect(restored).toBe(true);
    network.treat(() => "pass");
    const second = await run(words, { env });
    await network.close();
    expect(second.stderr).toContain("Continued an earlier upload");
  });

  it("lets a person choose the environment, and leaves the terminal as it was", async () => {
    const { path } = installer("Chosen.ipa");
    let typed = false;
    const { code, stdout, restored } = await inTerminal(["upload", path], {
      onOutput: (keyboard, shown) => {
        if (typed || !shown.includes("Staging")) return;
        typed = true;
        keyboard.write("\u001b[B\r"); // the arrow down, and Enter
      },
    });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("/ Staging at ");
    expect(restored).toBe(true);
  });

  it("asks in whole lines where the terminal says that it has no columns", async () => {
    const { path } = installer("Zero.ipa");
    let typed = false;
    const { code, stdout } = await inTerminal(["upload", path], {
      columns: 0,
      onOutput: (keyboard, shown) => {
        if (typed || !shown.includes("Testing")) return;
        typed = true;
        keyboard.write("\r");
      },
    });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("Environment");
  });

  it("ends with 130 after Ctrl-C in a question, and shows the cursor again", async () => {
    const { path } = installer("Unchosen.ipa");
    let typed = false;
    const { code, stdout, restored } = await inTerminal(["upload", path], {
      onOutput: (keyboard, shown) => {
        if (typed || !shown.includes("Testing")) return;
        typed = true;
        keyboard.write("\u0003");
      },
    });
    expect(code, stdout).toBe(130);
    expect(stdout.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(stdout.lastIndexOf(`${ESC}[?25l`));
    expect(restored).toBe(true);
  });
});

/** Runs a program with a folder of 256 KiB, in a namespace of its own (unshare of util-linux). */
const smallDisk = (() => {
  const words = (folder: string) => [
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs -o size=256k tmpfs "$0" && cd "$0" && exec "$@"',
    folder,
  ];
  try {
    execFileSync("unshare", [...words("/mnt"), "true"], { stdio: "ignore" });
    return words;
  } catch {
    return new Error("unshare of util-linux may not mount a file system on this machine");
  }
})();

describeWith(smallDisk, "on a full disk", (words) => {
  /** The whole environment of the tool for a session of a user. */
  const sessionEnvironment = async (userId: string) => ({
    PATH: process.env.PATH ?? "",
    NODE_ENV: "production" as const,
    SLIPWAY_CONSOLE: server.url,
    SLIPWAY_TOKEN: (await aSession(userId)).token,
    SLIPWAY_CONFIG_DIR: tool.configuration,
  });

  it("what is written to a file of stdout is whole, or the tool says so", async () => {
    const path = join(tool.folder, "shared.env");
    const tooMuch = Array.from({ length: 40 }, (_, index) => `V${index}=${"x".repeat(8_000)}\n`);
    writeFileSync(path, tooMuch.join(""));
    const { userId } = await aUser({ grants: [{ scopes: ["dev-variable:write"], apps: [{ appId: app.appId }] }] });
    const env = await sessionEnvironment(userId);
    const pushed = await run(["variables", "push", path, "--environment", "Testing", "--yes"], { env });
    expect(pushed.code, pushed.stderr).toBe(0);
    const folder = join(tool.folder, "small");
    mkdirSync(folder);
    const command = `'${process.execPath}' '${tool.file}' variables pull --environment Testing > out.env`;
    const { code, stderr } = await collect(spawn("unshare", [...words(folder), "sh", "-c", command], { env }));
    expect([code, stderr]).toEqual([2, "stdout cannot be written: the disk is full.\n"]);
  });

  it("a download says so and leaves nothing behind", async () => {
    const { path } = installer("Wide.ipa", anIpa(app.identifier, { fillerBytes: 1_000_000 }));
    const { userId } = await aUser({
      grants: [{ scopes: ["release:create", "release:read", "release:download"], apps: [{ appId: app.appId }] }],
    });
    const env = await sessionEnvironment(userId);
    const { stdout } = await run(["upload", path, "--environment", "Testing", "--json"], { env });
    const { id } = JSON.parse(stdout);
    const folder = join(tool.folder, "disk");
    mkdirSync(folder);
    const command = `'${process.execPath}' '${tool.file}' releases download ${id}; code=$?; ls -A; exit $code`;
    const download = await collect(spawn("unshare", [...words(folder), "sh", "-c", command], { env }));
    expect(download.code, download.stderr).toBe(2);
    expect(download.stderr).toContain("Wide.ipa cannot be written: the disk is full.");
    expect(download.stdout).toBe("");
  });
});
