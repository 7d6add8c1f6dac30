import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesSource, readDsyms } from "@slipway/installers";
import { makeMachO, makeMapping } from "@slipway/installers/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { operations } from "@/lib/operations";
import { anApp, aSession, aUser } from "@/lib/testing/console";
import { startFaultProxy } from "@/lib/testing/fault-proxy";
import { FRAMEWORK_UUID, PROGRAM_UUID } from "@/lib/testing/release-files";
import { anApk, anIpa } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { zipFolders } from "./lib/zip-folder";
import { collect, setUpTool } from "./testing/tool";

setUpTestDatabase();
const tool = setUpTool();

const FOREIGN_UUID = "6A5C1B2D-0000-4000-8000-0000000000FF";

let server: TestServer;
let app: Awaited<ReturnType<typeof anApp>>;
let token: string;

beforeAll(async () => {
  await ensureServerKeys();
  server = await serveOperations(Object.values(operations));
  app = await anApp();
  const scopes = ["release:create", "release:download"] as const;
  const { userId } = await aUser({ grants: [{ scopes: [...scopes], apps: [{ appId: app.appId }] }] });
  token = (await aSession(userId)).token;
});

afterAll(() => server.close());

const run = (words: readonly string[]) =>
  tool.run(words, { env: { SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token } });

/** Writes an `.ipa` whose program and framework have UUIDs. */
function ipa(name: string): string {
  const path = join(tool.folder, name);
  const files = {
    "seed.txt": Buffer.from(crypto.randomUUID()),
    Main: makeMachO({ uuid: PROGRAM_UUID }),
    "Frameworks/Kit.framework/Kit": makeMachO({ uuid: FRAMEWORK_UUID, fileType: 6 }),
  };
  writeFileSync(path, anIpa(app.identifier, { info: { CFBundleExecutable: "Main" }, files }));
  return path;
}

/** Writes a folder of dSYM bundles, one for each UUID. */
function dsyms(name: string, ...uuids: string[]): string {
  const folder = join(tool.folder, name);
  for (const [index, uuid] of uuids.entries()) {
    const dwarf = join(folder, `Program${index}.dSYM`, "Contents", "Resources", "DWARF");
    mkdirSync(dwarf, { recursive: true });
    writeFileSync(join(dwarf, `Program${index}`), makeMachO({ uuid, fileType: 10 }));
  }
  return folder;
}

describe("slipway upload --dsym", () => {
  it("compresses a folder of bundles, adds it with the build, and warns of programs without symbols", async () => {
    const words = ["upload", ipa("one.ipa"), "--dsym", dsyms("one", PROGRAM_UUID), "--json"];
    const { code, stdout, stderr } = await run(words);
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 of 2 programs have no symbols: ")]);
    expect(stderr).toContain(`Frameworks/Kit.framework/Kit (${FRAMEWORK_UUID})`);
    const { id, files } = JSON.parse(stdout);
    expect(files).toMatchObject([{ kind: "dsym", name: "one.zip", symbols: { images: 1, matched: 1 } }]);

    const listed = await run(["releases", "files", id]);
    expect(listed.stdout).toContain("one.zip");
    expect((await run(["releases", "download-file", id, "one.zip", "--output", tool.folder])).code).toBe(0);
    const bytes = new Uint8Array(readFileSync(join(tool.folder, "one.zip")));
    expect(await readDsyms(bytesSource(bytes))).toMatchObject([{ uuid: PROGRAM_UUID }]);
    expect((await run(["releases", "download-file", id, "two.zip"])).stderr).toContain('no file "two.zip"');
  });

  it("continues the upload of a folder with the parts that have arrived, also if the folder was written again", async () => {
    const words = ["upload", ipa("resumed.ipa"), "--dsym", dsyms("resumed", PROGRAM_UUID)];
    // With two parts at once, the third begins when one of them has arrived.
    const filler = join(tool.folder, "resumed", "Program0.dSYM", "Contents", "filler");
    writeFileSync(filler, randomBytes(20_000_000));
    const network = await startFaultProxy(server.url);
    const child = Promise.withResolvers<ChildProcess>();
    let isPublished = false;
    const begun: string[] = [];
    network.treat(({ method, url }) => {
      isPublished ||= url.pathname.endsWith("/create-testing-deploy");
      if (!isPublished || method !== "PUT") return "pass";
      if (begun.push(url.href) === 3) void child.promise.then((one) => one.kill("SIGINT"));
      return begun.length === 1 ? "pass" : "hang";
    });
    const through = { SLIPWAY_CONSOLE: network.url, SLIPWAY_TOKEN: token };
    const first = await tool.run(words, { env: through, onStderr: (one) => child.resolve(one) });
    expect([first.code, first.stderr]).toEqual([130, expect.stringContaining("Run the same command again")]);

    utimesSync(filler, new Date(), new Date(Date.now() + 60_000));
    let isBusy = true;
    network.treat(({ url }) => {
      if (!isBusy || !url.pathname.endsWith("/create-release-file")) return "pass";
      isBusy = false;
      return { status: 503 };
    });
    const { code, stderr } = await tool.run(words, { env: through });
    await network.close();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("Continued an earlier upload: ");
    expect([stderr, isBusy]).toEqual([expect.stringContaining("Added resumed.zip."), false]);
  });

  it("refuses symbols of another build, and files that are none, before anything is sent", async () => {
    const path = ipa("two.ipa");
    const foreign = await run(["upload", path, "--dsym", dsyms("two", FOREIGN_UUID)]);
    expect(foreign.code).toBe(1);
    for (const uuid of [FOREIGN_UUID, PROGRAM_UUID]) expect(foreign.stderr).toContain(uuid);
    const text = join(tool.folder, "text.zip");
    writeFileSync(text, "no archive");
    const none = await run(["upload", path, "--dsym", text]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("text.zip: The file is not a ZIP archive")]);
    mkdirSync(join(tool.folder, "empty"));
    expect((await run(["upload", path, "--dsym", "empty"])).stderr).toContain(
      "is not a .dSYM folder and contains none",
    );
    const mapping = join(tool.folder, "mapping.txt");
    writeFileSync(mapping, makeMapping());
    expect((await run(["upload", path, "--mapping", mapping])).stderr).toContain("--mapping is for an .apk or .aab");
    expect((await run(["releases", "list"])).stdout).not.toContain("two.ipa");
  });
});

describe("slipway upload --mapping", () => {
  it("adds the mapping file, and the same command again adds nothing", async () => {
    const path = join(tool.folder, "app.apk");
    writeFileSync(path, await anApk(app.identifier));
    const mapping = join(tool.folder, "mapping.txt");
    writeFileSync(mapping, makeMapping("abc1234"));
    const words = ["upload", path, "--mapping", mapping, "--json"];
    const first = JSON.parse((await run(words)).stdout);
    const again = JSON.parse((await run(words)).stdout);
    expect(first.files).toMatchObject([{ kind: "mapping", mapping: { mapId: "abc1234" } }]);
    expect(again.files).toMatchObject([{ id: first.files[0].id, repeated: true }]);
  });
});

describe("slipway releases add-files", () => {
  it("adds any file to a release that is published", async () => {
    const { id } = JSON.parse((await run(["upload", ipa("three.ipa"), "--json"])).stdout);
    const plan = join(tool.folder, "plan.txt");
    writeFileSync(plan, "What to try");
    const { code, stdout } = await run(["releases", "add-files", id, "--file", plan, "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ kind: "other", name: "plan.txt" }]]);
    expect((await run(["releases", "add-files", id])).code).toBe(2);
  });
});

describe("a folder of bundles that cannot be compressed", () => {
  /** Begins an upload with a folder for temporary files of its own. */
  function begin(name: string, folder: string, env: Record<string, string> = {}) {
    const temporary = join(tool.folder, `${name}-temporary`);
    mkdirSync(temporary);
    const child = spawn(process.execPath, [tool.file, "upload", ipa(`${name}.ipa`), "--dsym", folder], {
      cwd: tool.folder,
      env: { ...process.env, SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token, TMPDIR: temporary, ...env },
    });
    const archives = () => readdirSync(temporary, { recursive: true }).filter((path) => `${path}`.includes("symbols-"));
    return { child, archives, ended: collect(child) };
  }

  it("leaves nothing when Ctrl-C interrupts it", async () => {
    const folder = dsyms("interrupted", PROGRAM_UUID);
    const large = join(folder, "Program0.dSYM", "Contents", "large");
    writeFileSync(large, "");
    truncateSync(large, 8 * 1024 ** 3);
    const { child, archives, ended } = begin("interrupted", folder);
    await expect.poll(() => archives().some((path) => `${path}`.endsWith("0.zip")), { timeout: 20_000 }).toBe(true);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr.trim(), archives()]).toEqual([130, "Interrupted.", []]);
  });

  it("names the file that cannot be read", async () => {
    const folder = dsyms("unreadable", PROGRAM_UUID);
    const path = join(folder, "Program0.dSYM", "Contents", "secret");
    writeFileSync(path, "");
    // Root may read every file.
    const program = `
      import promises from "node:fs/promises";
      import { syncBuiltinESMExports } from "node:module";
      const { open } = promises;
      promises.open = async (path, ...rest) => {
        if (String(path).endsWith("secret")) throw Object.assign(new Error("refused"), { code: "EACCES", path });
        return open(path, ...rest);
      };
      syncBuiltinESMExports();`;
    const { archives, ended } = begin("unreadable", folder, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
    });
    const { code, stderr } = await ended;
    expect([code, stderr.trim(), archives()]).toEqual([2, `${path} cannot be accessed: permission denied.`, []]);
  });
});

describe("an archive of folders", () => {
  it("is what unzip reads, without links", async (context) => {
    const folder = dsyms("zipped", PROGRAM_UUID, FRAMEWORK_UUID);
    symlinkSync("/etc/passwd", join(folder, "link"));
    const path = join(tool.folder, "zipped.zip");
    await zipFolders([folder], path, new AbortController().signal);
    const archive = new Uint8Array(readFileSync(path));
    expect((await readDsyms(bytesSource(archive))).map(({ uuid }) => uuid)).toEqual([PROGRAM_UUID, FRAMEWORK_UUID]);
    try {
      execFileSync("unzip", ["-v"]);
    } catch {
      context.skip("unzip is missing");
    }
    const listed = execFileSync("unzip", ["-t", path], { encoding: "utf8" });
    expect(listed).toContain("No errors detected");
    expect(listed).not.toContain("link");
    expect(readdirSync(folder)).toContain("link");
  });
});
