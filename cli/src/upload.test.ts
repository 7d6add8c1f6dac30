import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { operations } from "@/lib/operations";
import { anApp, aSession, aToken, aUser } from "@/lib/testing/console";
import { anIpa, sha256Of } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { collect, type RunOptions, setUpTool } from "./testing/tool";

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

describe("slipway inspect", () => {
  it("reads an installer offline", async () => {
    const { path, sha256 } = installer("inspect.ipa");
    const { code, stdout } = await tool.run(["inspect", path, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      fileName: "inspect.ipa",
      sha256,
      kind: "ipa",
      identifier: app.identifier,
    });
    // The profile lists three devices, whose identifiers begin like this.
    expect(stdout).not.toMatch(/profileDevices|00008000-/);
  });

  it("refuses a file that is not an installer, in the console's words", async () => {
    const { path } = installer("notes.apk", new Uint8Array(Buffer.from("no archive")));
    const { code, stdout, stderr } = await tool.run(["inspect", path, "--json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("notes.apk cannot be published.");
    expect(JSON.parse(stdout)).toMatchObject({ code: "invalid_installer", errors: [{ path: "file" }] });
    expect(JSON.parse(stdout)).not.toHaveProperty("status");
  });

  it("says whether a device installs it, and ends with 1 if it does not", async () => {
    const { path } = installer("device.ipa");
    const told = await tool.run(["inspect", path, "--device", "iPhone15,2 18.1 registered", "--json"]);
    const phone = { os: "ios", osVersion: "18.1", model: "iPhone15,2" };
    expect([told.code, JSON.parse(told.stdout).verdict.device]).toEqual([0, expect.objectContaining(phone)]);
    const refused = await tool.run(["inspect", path, "--device", "android 14"]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("Device   Android 14 (API 34)\nVerdict  does not install\n");
    expect(refused.stdout).toContain(
      "blocks   This release is for iPhone or iPad. Android cannot install .ipa files.\n         Open it on an iPhone or iPad",
    );
    const enterprise = installer("trusted.ipa", anIpa(app.identifier, { profile: { type: "enterprise" } }));
    const steps = await tool.run(["inspect", enterprise.path, "--device", "iphone 18.1"]);
    expect(steps.stdout).toContain("Verdict  installs after these steps\n");
    expect(steps.stdout).toMatch(/\n {9}1\. .+\n {9}2\. /);
    const json = JSON.parse((await tool.run(["inspect", path, "--device", "android 14", "--json"])).stdout);
    expect(json.verdict).toMatchObject({
      verdict: "does_not_install",
      way: null,
      reasons: [
        {
          code: "wrong_system",
          severity: "blocks",
          steps: ["Open it on an iPhone or iPad, or choose an Android release."],
        },
      ],
    });
    expect(json.warnings).toEqual([]);
  });

  it("refuses what is not a device, before it reads the file", async () => {
    const { code, stderr } = await tool.run(["inspect", "missing.ipa", "--device", "iphone seventeen"]);
    expect(code).toBe(2);
    expect(stderr).toContain('"seventeen" is not understood as part of a device.');
    expect(stderr).toContain('Write it as "iphone 17.5"');
  });

  it("says that a file does not exist", async () => {
    const { code, stderr } = await tool.run(["inspect", "missing.ipa"]);
    expect([code, stderr.trim()]).toEqual([2, "missing.ipa does not exist."]);
  });
});

/**
 * Puts a proxy before the console for the time of a test.
 * @param statusOf the status with which it refuses a request by itself; undefined for one that it passes on
 */
async function proxyBefore(statusOf: (method: string) => number | undefined) {
  const proxy = createServer((incoming, outgoing) => {
    const status = statusOf(incoming.method ?? "");
    if (status !== undefined) {
      incoming.resume();
      outgoing.writeHead(status, { "Content-Type": "text/html" }).end("<h1>nginx</h1>");
      return;
    }
    const { method, headers, url } = incoming;
    const forwarded = httpRequest(new URL(url ?? "/", server.url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void proxy.close() };
}

describe("slipway upload", () => {
  it("names the limit of a proxy that refuses a part, and does not propose to repeat it", async () => {
    let parts = 0;
    using proxy = await proxyBefore((method) => {
      if (method !== "PUT") return undefined;
      parts += 1;
      return 413;
    });
    const words = ["upload", installer("Large.ipa").path, "--environment", "Testing"];
    const { code, stderr } = await run(words, { env: { SLIPWAY_CONSOLE: proxy.url } });
    expect([code, parts]).toEqual([3, 1]);
    expect(stderr).toContain(`A proxy in front of ${proxy.url} refuses request bodies of this size (status 413).\n`);
    expect(stderr).toContain("client_max_body_size");
    expect(stderr).not.toContain("same command again");
  });

  it("says before it sends anything that the token may not tell groups", async () => {
    const reader = await aToken({
      appId: app.appId,
      environmentId: app.environmentIds[0] as string,
      scopes: ["release:create"],
    });
    const uploads = await db.upload.count();
    const words = ["upload", installer("Grouped.ipa").path, "--group", "Beta"];
    const { code, stderr } = await run(words, { env: { SLIPWAY_TOKEN: reader.token } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("--group needs a token with the scope release:update."),
    ]);
    expect(await db.upload.count()).toBe(uploads);
  });

  it("waits before the first part for a console that has answered, as one that restarts", async () => {
    let requests = 0;
    using proxy = await proxyBefore(() => {
      requests += 1;
      return requests === 2 ? 502 : undefined;
    });
    const words = ["upload", installer("Restarted.ipa").path, "--environment", "Testing"];
    const { code, stderr } = await run(words, { env: { SLIPWAY_CONSOLE: proxy.url } });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^Waiting for the server: .* a proxy in front of it answered with status 502\.$/m);
  });

  it("publishes an installer with its notes and where it comes from, and prints the install link", async () => {
    const { path, sha256 } = installer("Acme.ipa");
    const [outputs, summary] = [join(tool.folder, "outputs"), join(tool.folder, "summary")];
    const words = [
      "upload",
      path,
      "--environment",
      "staging",
      "--notes",
      "Fixed *it*",
      "--metadata",
      "ticket=A-1",
      "--branch",
      "topic",
    ];
    const env = {
      GITHUB_ACTIONS: "true",
      GITHUB_SHA: "0a1b2c",
      GITHUB_REF_NAME: "main",
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: summary,
    };
    const { code, stdout, stderr } = await run(words, { env });
    expect(code, stderr).toBe(0);
    const release = await db.release.findFirstOrThrow({
      where: { environmentId: app.environmentIds[1] },
      include: { file: true },
    });
    expect(release).toMatchObject({
      description: "Fixed *it*",
      mandatory: false,
      metadata: { gitCommit: "0a1b2c", gitBranch: "topic", ticket: "A-1" },
      file: { sha256 },
    });
    expect(stdout).toMatch(new RegExp(`^https?://\\S+${release.id}\n$`));
    expect(readFileSync(outputs, "utf8")).toBe(
      `release-id=${release.id}\ninstall-url=${stdout.trim()}\nqr-url=http://localhost:3000/api/apps/download-testing-deploy-qr-code?id=${release.id}\nversion=${release.version}\nbuild-number=${release.buildNumber}\n`,
    );
    expect(readFileSync(summary, "utf8")).toContain(`[Install](${stdout.trim()})`);
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

  it("says its version, which is the console's", async () => {
    const { code, stdout } = await tool.run(["--version"]);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect([code, stdout]).toEqual([0, `${version}\n`]);
  });

  it("proposes commands and flags to shells", async () => {
    expect((await tool.run(["propose", "--", "ins"])).stdout).toBe("inspect\n");
    expect((await tool.run(["propose", "--", "completion", ""])).stdout).toBe("bash\nzsh\nfish\n");
    expect((await tool.run(["propose", "--", "upload", "--notes-f"])).stdout).toBe("--notes-file\n--notes-from-git\n");
  });

  it.each(["bash", "zsh", "fish"])("writes the completion script of %s", async (shell) => {
    const { code, stdout } = await tool.run(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("slipway propose --");
  });

  it("says that stdout cannot be written", async () => {
    const command = `'${process.execPath}' '${tool.file}' --version > /dev/full`;
    const { code, stderr } = await collect(spawn("sh", ["-c", command], { cwd: tool.folder }));
    expect([code, stderr]).toEqual([2, "stdout cannot be written: the disk is full.\n"]);
  });

  it("is one file of at most 1.5 MB", () => expect(statSync(tool.file).size).toBeLessThanOrEqual(1.5e6));

  it("has no code of the server in it", () => {
    const text = readFileSync(tool.file, "utf8");
    for (const word of ["PrismaClient", "server-only", "DATABASE_URL", "next/server"]) expect(text).not.toContain(word);
  });
});
