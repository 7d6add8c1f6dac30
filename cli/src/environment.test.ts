import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeAab } from "@slipway/installers/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { operations } from "@/lib/operations";
import { configure } from "@/lib/testing/client";
import { anApp, aSession, aToken, aUser, type TestUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { newUdid } from "@/lib/testing/devices";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { startReceiver } from "@/lib/testing/webhook-receiver";
import { aWebhook } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { runInTerminal, terminal } from "./testing/terminal";
import { clockOffBy, collect, type RunOptions, setUpTool } from "./testing/tool";

process.env.OUTBOUND_ALLOWED_HOSTS = "127.0.0.1";
setUpTestDatabase();
const tool = setUpTool();

let server: TestServer;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let person: TestUser;
let token: string;

beforeAll(async () => {
  // The console signs what it answers about a token.
  await ensureServerKeys();
  server = await serveOperations(Object.values(operations));
  app = await anApp({ name: "Acme", environments: [{ name: "Testing" }, { name: "Staging" }] });
  environmentId = app.environmentIds[0] as string;
  const scopes = [
    "release:create",
    "release:download",
    "release:delete",
    "release:update",
    "dev-variable:write",
    "secure-variable:write",
  ] as const;
  person = await aUser({ grants: [{ scopes: [...scopes, "secure-certificate:read"], apps: [{ appId: app.appId }] }] });
  token = (await aSession(person.userId)).token;
});
afterAll(() => server.close());

const place = ["--app", "Acme", "--environment", "Testing"];

function run(words: readonly string[], { env, ...options }: RunOptions = {}) {
  return tool.run(words, { env: { SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token, ...env }, ...options });
}

async function createEnvironment(name: string): Promise<string> {
  const { id } = await db.environment.create({ data: { id: newId(), appId: app.appId, name } });
  return id;
}

/** Adds variables to an environment, by default to Testing. */
async function addVariables(variables: Record<string, string>, to = environmentId): Promise<void> {
  await configure(
    to,
    Object.entries(variables).map(([key, value]) => ({ kind: "dev-variable", key, value })),
  );
}

/** Returns the value of a variable as the console has it, by default of Testing. */
async function storedValue(key: string, of = environmentId): Promise<string | undefined> {
  return (await db.devVariable.findFirst({ where: { environmentId: of, key } }))?.value;
}

/** Writes a file for the tool. */
function file(name: string, text: string): string {
  const path = join(tool.folder, name);
  writeFileSync(path, text);
  return path;
}

describe("slipway share", () => {
  it("makes a link to a release with the password on stdin, and to the latest release of the environment", async () => {
    const { id } = await aRelease(person, { identifier: app.identifier, environmentId });
    const one = await run(["share", id, "--name", "Acme", "--password-stdin", "--max-installs", "3", "--days", "2"], {
      input: "correct horse\n",
    });
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^http\S+\/i\/[\w-]{22}\n$/)]);
    const latest = await run(["share", ...place, "--only-phones", "--hide-notes", "--json"]);
    expect(JSON.parse(latest.stdout)).toMatchObject({ followsLatest: true, onlyPhones: true, showNotes: false });
    const [link] = await db.shareLink.findMany({ where: { releaseId: id } });
    expect(link).toMatchObject({ name: "Acme", maxInstalls: 3, passwordHash: expect.stringMatching(/^\$argon2id/) });
  });
});

describe("slipway devices", () => {
  it("imports, lists and exports devices for administrators, and those of a release without their UDIDs", async () => {
    const admin = { env: { SLIPWAY_TOKEN: (await aSession((await aUser({ admin: true })).userId)).token } };
    const [listed, missing] = [newUdid(), newUdid()];
    const text = `Device ID\tDevice Name\tDevice Platform\n${listed}\tListed\tios\n${missing}\tMissing\tios\n`;
    const imported = await run(["devices", "import", file("devices.txt", text)], admin);
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining("2 added, 0 were there already")]);
    const broken = await run(["devices", "import", "--dry-run", file("broken.txt", `${text}nothing\n`)], admin);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("Line 4")]);
    const list = await run(["devices", "list", "--search", listed.toLowerCase()], admin);
    expect(list.stdout).toContain(listed);
    const profile = { deviceIdentifiers: [listed] };
    const { id } = await aRelease(person, { identifier: app.identifier, environmentId }, { profile, build: "900" });
    const covered = await run(["devices", "list", "--release", id]);
    expect(covered.stdout).toMatch(/covered\s+Listed[\s\S]*missing\s+Missing/);
    expect(covered.stdout).not.toContain(listed);
    const exported = await run(["devices", "export", "--missing-in", id, "--output", "-"], admin);
    expect(exported.stdout).toBe(`Device ID\tDevice Name\tDevice Platform\r\n${missing}\tMissing\tios\r\n`);
    expect((await run(["devices", "list"])).code).toBe(1);
  });
});

describe("slipway webhooks", () => {
  it("lists the webhooks and tests one, for administrators", async () => {
    const admin = { env: { SLIPWAY_TOKEN: (await aSession((await aUser({ admin: true })).userId)).token } };
    const receiver = await startReceiver();
    try {
      const id = await aWebhook(["release.published"], { url: receiver.url, name: "Builds" });
      const list = await run(["webhooks", "list"], admin);
      expect([list.code, list.stdout]).toEqual([0, expect.stringMatching(new RegExp(`${id}\\s+Builds\\s+active`))]);
      const tested = await run(["webhooks", "test", id, "--event", "release.deleted", "--json"], admin);
      expect([tested.code, JSON.parse(tested.stdout).state]).toEqual([0, "delivered"]);
      expect(JSON.parse(receiver.received[0]?.body ?? "").type).toBe("release.deleted");
      receiver.answer = (response) => response.writeHead(503).end("busy");
      const refused = await run(["webhooks", "test", id], admin);
      expect(refused.code).toBe(1);
      expect(refused.stdout).toContain("HTTP 503");
      expect(refused.stderr).toContain("busy");
      expect((await run(["webhooks", "list"])).code).toBe(1);
      expect((await run(["webhooks", "test", "builds"], admin)).code).toBe(2);
    } finally {
      await receiver.close();
    }
  });
});

describe("slipway promote", () => {
  it("publishes the build of a release in another environment, and succeeds when it is there already", async () => {
    const { id } = await aRelease(
      person,
      { identifier: app.identifier, environmentId },
      { version: "8.0", build: "8" },
    );
    const apk = await anApk(app.identifier, { versionName: "8.0", versionCode: 8 });
    await publish(person, apk, "App.apk", { environmentId });
    const first = await run(["promote", id, "--to", "staging", "--json"]);
    expect(first.code, first.stderr).toBe(0);
    const items = JSON.parse(first.stdout);
    expect(items).toMatchObject([{ environment: { name: "Staging" } }, { environment: { name: "Staging" } }]);
    const again = await run(["promote", id, "--to", "Staging"]);
    expect(again.stdout.split("\n")).toEqual([...items.map((one: { installUrl: string }) => one.installUrl), ""]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("was there already: Acme / Staging.")]);
    expect(await db.release.count({ where: { environmentId: app.environmentIds[1] as string } })).toBe(2);
    const alone = await aRelease(person, { identifier: app.identifier, environmentId }, { version: "8.1", build: "8" });
    const one = await run(["promote", alone.id, "--to", "Staging", "--only-this-file", "--notes", "For staging"]);
    expect(one.stderr).toContain("8.1 (8) in Acme / Staging.");
  });

  it("names the environments that exist, and says why an API token cannot do it", async () => {
    const { id } = await aRelease(person, { identifier: app.identifier, environmentId });
    const wrong = await run(["promote", id, "--to", "Live"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Testing, Staging")]);
    const ofEnvironment = await aToken({
      appId: app.appId,
      environmentId,
      scopes: ["release:create", "release:download"],
    });
    const env = { SLIPWAY_TOKEN: (ofEnvironment.headers.authorization as string).replace("Bearer ", "") };
    const refused = await run(["promote", id, "--to", "Staging"], { env });
    expect([refused.code, refused.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining("a promotion needs two"),
    ]);
  });
});

describe("slipway releases", () => {
  const publishNext = () => aRelease(person, { identifier: app.identifier, environmentId });
  /** Published one after the other. A test that changes a release publishes one of its own. */
  let first: { id: string };
  let second: { id: string };
  let third: { id: string; size: number };
  beforeAll(async () => {
    first = await publishNext();
    second = await publishNext();
    third = await publishNext();
  });

  it("lists the releases of an environment, and shows one", async () => {
    const { id } = await publishNext();
    const listed = await run(["releases", "list", ...place, "--json"]);
    expect(listed.code, listed.stderr).toBe(0);
    expect(JSON.parse(listed.stdout)[0].id).toBe(id);
    expect((await run(["releases", "list", ...place])).stdout).toContain(id);
    expect((await run(["releases", "show", id])).stdout).toContain(app.identifier);
  });

  it("marks the latest release of a platform, which is not the one that was published last", async () => {
    const other = await createEnvironment("Marked");
    const place = { identifier: app.identifier, environmentId: other };
    const newer = await aRelease(person, place, { version: "2.0" });
    const older = await aRelease(person, place, { version: "1.0" });
    const { stdout } = await run(["releases", "list", "--app", "Acme", "--environment", "Marked"]);
    const marks = stdout.split("\n").flatMap((line) => /^([\w-]{36}) {2}(latest)?/.exec(line)?.slice(1, 3) ?? []);
    expect(marks).toEqual([older.id, undefined, newer.id, "latest"]);
  });

  it("says what changed since the release before", async () => {
    const { code, stdout } = await run(["releases", "diff", second.id]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Compared with .*\n~ size [^\n]*\n {2}and \d+ other changes?, shown with --all\n$/);
    const all = await run(["releases", "diff", second.id, "--all"]);
    expect(all.stdout).toContain("seed.txt");
  });

  it("compares two releases, also as JSON and Markdown", async () => {
    const { id } = third;
    const json = await run(["releases", "diff", id, "--from", first.id, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ from: { id: first.id }, to: { id } });
    const markdown = await run(["releases", "diff", id, "--from", first.id, "--markdown"]);
    expect(markdown.stdout).toMatch(/^### Changes of /);
    expect((await run(["releases", "diff", id, "--from", "x"])).code).toBe(2);
  });

  it("downloads the installer and verifies its SHA-256", async () => {
    const { id, size } = third;
    const { code, stdout, stderr } = await run(["releases", "download", id, "--output", "out.ipa"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(`${join(tool.folder, "out.ipa")}\n`);
    expect(statSync(join(tool.folder, "out.ipa")).size).toBe(size);
    expect(readdirSync(tool.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("does not replace a file without --force", async () => {
    const { id, size } = third;
    const path = file("mine.ipa", "mine");
    const refused = await run(["releases", "download", id, "--output", "mine.ipa"]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `${path} exists already.\nWrite elsewhere with --output, or replace it with --force.\n`,
    ]);
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect((await run(["releases", "download", id, "--output", "mine.ipa", "--force"])).code).toBe(0);
    expect(statSync(path).size).toBe(size);
  });

  it("writes to stdout for the output -, and nothing else", async () => {
    const { id, size } = third;
    const command = `'${process.execPath}' '${tool.file}' releases download ${id} --output - | wc -c`;
    const env = {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production" as const,
      SLIPWAY_CONSOLE: server.url,
      SLIPWAY_TOKEN: token,
    };
    const { stdout } = await collect(spawn("sh", ["-c", command], { cwd: tool.folder, env }));
    expect(Number(stdout)).toBe(size);
    expect(readdirSync(tool.folder)).not.toContain("-");
  });

  it("writes under a safe name into the folder that is named", async () => {
    const { id } = await publishNext();
    await db.release.update({ where: { id }, data: { fileName: "../slipway.json" } });
    mkdirSync(join(tool.folder, "downloads"));
    const { code, stdout, stderr } = await run(["releases", "download", id, "--output", "downloads"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(`${join(tool.folder, "downloads", "_slipway.json.ipa")}\n`);
  });

  it("writes nothing where the bytes are not those of the release", async () => {
    const { id } = await publishNext();
    const release = await db.release.findUniqueOrThrow({ where: { id }, select: { fileId: true } });
    await db.file.update({ where: { id: release.fileId }, data: { sha256: "0".repeat(64) } });
    const { code } = await run(["releases", "download", id, "--output", "broken.ipa"]);
    expect(code).not.toBe(0);
    expect(readdirSync(tool.folder).filter((name) => name.startsWith("broken.ipa"))).toEqual([]);
  });

  it("deletes a release after a confirmation", async () => {
    const { id } = await publishNext();
    const asked = await run(["releases", "delete", id]);
    expect([asked.code, asked.stderr.trim()]).toEqual([2, "Confirm the deletion with --yes."]);
    expect((await run(["releases", "delete", id, "--yes"])).code).toBe(0);
    const gone = await run(["releases", "show", id, "--json"]);
    expect([gone.code, JSON.parse(gone.stdout).code]).toEqual([1, "not_found"]);
  });

  it("has the APK of an app bundle made again, and shows how far it is", async () => {
    const aab = makeAab({ identifier: app.identifier });
    const publisher = await aUser({ admin: true });
    const { id } = (await publish(publisher, aab, "Acme.aab", { environmentId })).body;
    await db.release.update({
      where: { id },
      data: { universalState: "failed", universalError: "refused", universalDetail: "The bundle has no base." },
    });
    const shown = await run(["releases", "show", id]);
    expect(shown.stdout).toMatch(/APK for all devices +failed, refused: The bundle has no base\.\n/);
    const retried = await run(["releases", "retry-apk", id]);
    expect(retried.code, retried.stderr).toBe(0);
    expect(retried.stderr).toContain(`releases show ${id}`);
    expect((await run(["releases", "show", id])).stdout).toMatch(/APK for all devices +pending\n/);
    await db.release.update({ where: { id }, data: { universalState: "ready" } });
    const refused = await run(["releases", "retry-apk", id, "--json"]);
    expect([refused.code, JSON.parse(refused.stdout).code]).toEqual([1, "conflict"]);
  });

  it.each(["show", "diff", "download", "delete", "retry-apk"])(
    "%s says that a text is no ID, and where the IDs are",
    async (command) => {
      const { code, stderr } = await run(["releases", command, "1.4.2"]);
      expect([code, stderr]).toEqual([
        2,
        '"1.4.2" is not the ID of a release.\n`slipway releases list` shows the IDs; in an install link, the ID follows `id=`.\n',
      ]);
    },
  );

  it.each(["show", "diff", "download", "delete", "retry-apk"])(
    "%s names a release that is not there",
    async (command) => {
      const id = newId();
      const words = ["releases", command, id, ...(command === "delete" ? ["--yes"] : [])];
      const { code, stderr } = await run(words);
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(`^There is no release ${id} that you may see\\.\n.*releases list`));
    },
  );

  it("names the applications that exist where the named one does not", async () => {
    const { code, stderr } = await run(["releases", "list", "--app", "Nope"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`The applications are: ${app.identifier}`);
  });
});

describe("slipway variables", () => {
  it("sets, gets, lists and deletes variables", async () => {
    const set = await run(["variables", "set", ...place, "API_URL=https://a.example/?x=1&y=2", "FLAG=on"]);
    expect(set.stdout, set.stderr).toBe("+ API_URL\n+ FLAG\n");
    expect((await run(["variables", "get", ...place, "API_URL"])).stdout).toBe("https://a.example/?x=1&y=2\n");
    expect((await run(["variables", "list", ...place])).stdout).toMatch(
      /^KEY +STATUS +VALUE\n(.*\n)*FLAG +active +on\n/,
    );
    expect((await run(["variables", "unset", ...place, "FLAG"])).stdout).toBe("- FLAG\n");
    const { code, stderr } = await run(["variables", "get", ...place, "FLAG"]);
    expect([code, stderr.trim()]).toEqual([2, 'There is no variable "FLAG".']);
  });

  it("changes and deletes all of them where nobody reads what the tool writes", async () => {
    const unread = async (...words: string[]) => {
      const env = { ...process.env, SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token };
      const child = spawn(process.execPath, [tool.file, "variables", ...words], { cwd: tool.folder, env });
      child.stdout.destroy();
      await once(child.stderr.resume(), "close");
      return db.devVariable.count({ where: { environmentId, key: { startsWith: "UNREAD" } } });
    };
    expect(await unread("push", ...place, file("unread.env", "UNREAD_1=1\nUNREAD_2=1\n"), "--yes")).toBe(2);
    expect(await unread("unset", ...place, "UNREAD_1", "UNREAD_2")).toBe(0);
  });

  it("shows what a file would change, and changes it after a confirmation", async () => {
    await addVariables({ COLOR: "red" });
    const path = file("new.env", "COLOR=blue\nSIZE=7\n");
    expect((await run(["variables", "diff", ...place, path])).stdout).toBe("~ COLOR\n+ SIZE\n");
    expect((await run(["variables", "push", ...place, path])).code).toBe(2);
    expect(await storedValue("COLOR")).toBe("red");
    const pushed = await run(["variables", "push", ...place, path, "--yes"]);
    expect(pushed.code, pushed.stderr).toBe(0);
    expect(await storedValue("COLOR")).toBe("blue");
  });

  it("copies those of one environment to another after a confirmation", async () => {
    const production = await createEnvironment("Production");
    await addVariables({ COPIED: "new", LEFT: "1" });
    await addVariables({ COPIED: "old", STAYS: "1" }, production);
    const copy = ["variables", "copy", ...place, "--to", "production"];
    expect((await run([...copy, "--dry-run", "COPIED"])).stdout).toBe("~ COPIED\n");
    expect((await run([...copy, "COPIED"])).code).toBe(2);
    expect(await storedValue("COPIED", production)).toBe("old");
    const copied = await run([...copy, "--yes", "COPIED"]);
    expect([copied.code, copied.stdout], copied.stderr).toEqual([0, "~ COPIED\n"]);
    expect(await storedValue("COPIED", production)).toBe("new");
    expect((await run([...copy, "--dry-run"])).stdout).toContain("+ LEFT\n");
    expect((await run(["variables", "copy", ...place, "--to", "Nowhere"])).code).toBe(2);
    expect((await run([...copy, "--yes", "NONE"])).code).not.toBe(0);
  });

  it("sets those of stdin, which can be read once only", async () => {
    const staging = app.environmentIds[1] as string;
    await addVariables({ OLD: "1" }, staging);
    const words = ["variables", "push", "--app", "Acme", "--environment", "Staging", "-", "--replace", "--yes"];
    const { code, stdout, stderr } = await run(words, { input: "NEW=2\n" });
    expect([code, stdout], stderr).toEqual([0, "+ NEW\n- OLD\n"]);
    expect([await storedValue("NEW", staging), await storedValue("OLD", staging)]).toEqual(["2", undefined]);
  });

  it("sets those of a program that writes later than the tool begins to read", async () => {
    await addVariables({ PIPED: "yes" });
    const slipway = `'${process.execPath}' '${tool.file}' variables`;
    const pull = `${slipway} pull --app Acme --environment Testing`;
    const push = `${slipway} push --app Acme --environment Staging --yes -`;
    const env = {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production" as const,
      SLIPWAY_CONFIG_DIR: tool.configuration,
      SLIPWAY_CONSOLE: server.url,
      SLIPWAY_TOKEN: token,
    };
    const { code, stdout, stderr } = await collect(spawn("sh", ["-c", `${pull} | ${push}`], { cwd: tool.folder, env }));
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("+ PIPED\n");
  });

  it("reads one value from stdin where the others have theirs", async () => {
    const { code, stdout, stderr } = await run(["variables", "set", ...place, "HERE=1", "THERE"], { input: "2\n" });
    expect([code, stdout], stderr).toEqual([0, "+ HERE\n+ THERE\n"]);
  });

  it("names a key of the command line that cannot be one", async () => {
    const { code, stderr } = await run(["variables", "set", ...place, "FINE=1", "bad key=1"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^The variables cannot be set\.\n {2}"bad key": /)]);
  });

  it("names the wrong lines of a file and changes nothing", async () => {
    const path = file("wrong.env", "GOOD=1\nnot a line\n");
    const { code, stderr } = await run(["variables", "push", ...place, path, "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("line 2: ");
  });

  it("writes them as JSON into a file that only its owner reads", async () => {
    await addVariables({ ONLY: "mine" });
    const { code } = await run(["variables", "pull", ...place, "--format", "json", "--output", "out.json"]);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(tool.folder, "out.json"), "utf8"))).toMatchObject({ ONLY: "mine" });
    expect(statSync(join(tool.folder, "out.json")).mode & 0o777).toBe(0o600);
    const again = await run(["variables", "pull", ...place, "--format", "json", "--output", "out.json"]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already.")]);
  });

  it("warns of a variable in a .env file that changes what programs do", async () => {
    await addVariables({ NODE_OPTIONS: "--inspect" }, await createEnvironment("Debugging"));
    const { code, stdout, stderr } = await run(["variables", "pull", "--app", "Acme", "--environment", "Debugging"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("NODE_OPTIONS=--inspect")]);
    expect(stderr).toBe("Warning: NODE_OPTIONS changes what a program does. It is read by Node.js, Deno and Bun.\n");
  });

  it("are read with an API token, whose environment need not be named", async () => {
    const reader = await aToken({ appId: app.appId, environmentId, scopes: ["dev-variable:read"] });
    const env = { SLIPWAY_TOKEN: reader.token };
    await addVariables({ SHARED: "yes" });
    const naming = [[], ["--environment", environmentId], ["--environment", "testing"], ["--app", app.identifier]];
    for (const words of naming) {
      const { code, stdout, stderr } = await run(["variables", "pull", ...words], { env });
      expect(code, stderr).toBe(0);
      expect(stdout).toContain("SHARED=yes");
    }
    const other = await run(["variables", "pull", "--environment", "Staging"], { env });
    expect([other.code, other.stderr]).toEqual([
      2,
      'There is no environment "Staging".\nThe environments are: Testing\n',
    ]);
    const { stdout } = await run(["whoami"], { env });
    const [named, end] = stdout.split("\n");
    expect(named).toBe(`API token for Acme / Testing at ${server.url}`);
    expect(end).toMatch(/^Valid until \d{4}-\d\d-\d\d(, (less than a day|1 day|\d+ days) left)?\.$/);
  });
});

describe("slipway secrets", () => {
  it("are not taken from the command line", async () => {
    const { code, stderr } = await run(["secrets", "set", ...place, "KEY=s3cret"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Secrets are not written on the command line");
    expect(stderr).not.toContain("s3cret");
  });

  it("are not made empty where stdin has no value", async () => {
    const { code, stderr } = await run(["secrets", "set", ...place, "EMPTY"]);
    expect([code, stderr]).toEqual([2, "stdin has no value for EMPTY.\n"]);
  });

  it("say to a person without a second factor where it is turned on", async () => {
    const { userId } = await aUser({ grants: [{ scopes: ["secure-variable:write"], apps: [{ appId: app.appId }] }] });
    const env = { SLIPWAY_TOKEN: (await aSession(userId)).token };
    const { code, stderr } = await run(["secrets", "set", ...place, "KEY"], { env, input: "s3cret\n" });
    expect([code, stderr.split("\n").slice(0, 2)]).toEqual([
      1,
      [
        "This requires two-factor authentication, which is not on for your account.",
        `Turn it on in your profile at ${server.url}/profile?tab=two-factor, and sign in again with \`slipway login\`.`,
      ],
    ]);
  });

  it("are set from stdin and read by a person who has proved a second factor", async () => {
    const careful = await aUser({ grants: [{ scopes: ["secure-variable:write"], apps: [{ appId: app.appId }] }] });
    await withTwoFactor(careful, { passed: true });
    const session = await aSession(careful.userId);
    const env = { SLIPWAY_TOKEN: session.token };
    const pending = await run(["secrets", "list", ...place], { env });
    expect(pending.code).toBe(1);
    expect(pending.stderr).toContain("slipway login");
    await db.session.update({
      where: { id: session.sessionId },
      data: { secondFactorAt: new Date(), secondFactorConfirmedAt: new Date() },
    });
    const set = await run(["secrets", "set", ...place, "KEY"], { env, input: "s3cret\n" });
    expect(set.stdout, set.stderr).toBe("+ KEY\n");
    expect((await run(["secrets", "list", ...place], { env })).stdout).not.toContain("s3cret");
    expect((await run(["secrets", "get", ...place, "KEY"], { env })).stdout).toBe("s3cret\n");
  });
});

describe("slipway certificates", () => {
  /** The variables of a person who has proved a second factor. */
  const env = { SLIPWAY_TOKEN: "" };
  beforeAll(async () => {
    const careful = await aUser({ grants: [{ scopes: ["secure-certificate:read"], apps: [{ appId: app.appId }] }] });
    await withTwoFactor(careful, { passed: true });
    const { token, sessionId } = await aSession(careful.userId);
    const passed = { secondFactorAt: new Date(), secondFactorConfirmedAt: new Date() };
    await db.session.update({ where: { id: sessionId }, data: passed });
    env.SLIPWAY_TOKEN = token;
  });

  it.each([
    ["slipway.json", "slipway.json.pem"],
    ["../Makefile", "_Makefile.pem"],
    [".npmrc", "npmrc.pem"],
    ["run.sh", "run.sh.pem"],
    ["a\u202emep.exe", "amep.exe.pem"],
  ])("writes the file %j of a console that does not check names as %j, and replaces nothing", async (given, safe) => {
    const key = `K_${newId().replaceAll("-", "")}`;
    await configure(app.environmentIds[1] as string, [{ kind: "secure-certificate", key, value: "pem" }]);
    await db.secureCertificate.updateMany({ where: { key }, data: { fileName: given } });
    const staging = ["--app", "Acme", "--environment", "Staging"];
    writeFileSync(join(tool.folder, safe), "mine");
    const refused = await run(["certificates", "pull", ...staging, key], { env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`${safe} exists already.`)]);
    expect(readFileSync(join(tool.folder, safe), "utf8")).toBe("mine");
    const forced = await run(["certificates", "pull", ...staging, key, "--force"], { env });
    expect([forced.code, forced.stdout], forced.stderr).toEqual([0, `${join(tool.folder, safe)}\n`]);
    expect(readFileSync(join(tool.folder, safe), "utf8")).toBe("pem");
  });

  it("lists them and writes a file that only its owner reads", async () => {
    await configure(environmentId, [{ kind: "secure-certificate", key: "PUSH", value: "pem" }]);
    expect((await run(["certificates", "list", ...place], { env })).stdout).toMatch(
      /^KEY {3}FILE {8}STATUS {2}EXPIRES\nPUSH {2}server\.pem {2}active {2}2030-01-02\n$/,
    );
    const { code, stdout, stderr } = await run(["certificates", "pull", ...place, "PUSH"], { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(`${join(tool.folder, "server.pem")}\n`);
    expect(readFileSync(join(tool.folder, "server.pem"), "utf8")).toBe("pem");
    expect(statSync(join(tool.folder, "server.pem")).mode & 0o777).toBe(0o600);
    expect((await run(["certificates", "pull", ...place, "PUSH", "--output", "-"], { env })).stdout).toBe("pem");
  });
});

describe("slipway run", () => {
  const node = (code: string) => ["--", process.execPath, "-e", code];

  it("starts a command with the variables, without the token, and ends with its exit code", async () => {
    await addVariables({ GREETING: "hello" });
    const code = "console.log(process.env.GREETING, process.env.SLIPWAY_TOKEN, process.argv[1]); process.exit(7)";
    const { code: exit, stdout } = await run(["run", ...place, ...node(code), "--", "--flag"]);
    expect([exit, stdout]).toEqual([7, "hello undefined --flag\n"]);
  });

  it("starts nothing with a variable that changes what programs do, unless --allow names it", async () => {
    const names = ["NODE_OPTIONS", "LD_PRELOAD", "BASH_ENV", "GIT_SSH_COMMAND"];
    const variables = { ...Object.fromEntries(names.map((name) => [name, ""])), GREETING: "hello" };
    await addVariables(variables, await createEnvironment("Building"));
    const building = ["--app", "Acme", "--environment", "Building"];
    const print = node("console.log(process.env.GREETING, process.env.GIT_SSH_COMMAND)");
    const refused = await run(["run", ...building, "--allow", "LD_PRELOAD", ...print]);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("  NODE_OPTIONS, which is read by Node.js, Deno and Bun\n");
    expect(refused.stderr).toMatch(/allow them:( --allow (NODE_OPTIONS|BASH_ENV|GIT_SSH_COMMAND)){3}\n/);
    const allowed = await run(["run", ...building, ...names.flatMap((name) => ["--allow", name]), ...print]);
    expect([allowed.code, allowed.stdout], allowed.stderr).toEqual([0, "hello \n"]);
  });

  it("starts a command with the variables that the project lists and with no others", async () => {
    await addVariables({ TAR_OPTIONS: "--checkpoint=1", GREETING: "hello" }, await createEnvironment("Listed"));
    const words = ["run", "--app", "Acme", "--environment", "Listed"];
    const print = node("console.log(process.env.GREETING, process.env.TAR_OPTIONS)");
    const within = (variables: string[]) =>
      writeFileSync(join(tool.folder, "slipway.json"), JSON.stringify({ variables }));
    try {
      within(["TAR_OPTIONS"]);
      const refused = await run([...words, ...print]);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain("list all variables of the environment:\n  GREETING\nIf they are meant to");
      expect((await run([...words, "--allow", "GREETING", ...print])).stdout).toBe("hello --checkpoint=1\n");
      within(["TAR_OPTIONS", "GREETING"]);
      expect((await run([...words, ...print])).stdout).toBe("hello --checkpoint=1\n");
    } finally {
      rmSync(join(tool.folder, "slipway.json"));
    }
  });

  it("passes signals on", async () => {
    const code =
      "process.on('SIGTERM', () => process.exit(9)); process.stderr.write('ready'); setInterval(() => {}, 1000)";
    const { code: exit } = await run(["run", ...place, ...node(code)], {
      onStderr: (child, text) => void (text.includes("ready") && child.kill("SIGTERM")),
    });
    expect(exit).toBe(9);
  });

  it("says that a command is not there", async () => {
    const { code, stderr } = await run(["run", ...place, "--", "no-such-command"]);
    expect([code, stderr.trim()]).toEqual([2, 'The command "no-such-command" is not found.']);
  });
});

describeWith(terminal, "slipway run in a terminal", (program) => {
  it("leaves Ctrl-C to the terminal, which sends it to the command", async () => {
    // The command counts: a signal that is passed on, too, arrives twice.
    const code = [
      "let count = 0;",
      'process.on("SIGINT", () => { count += 1; process.stdout.write("interrupted\\n"); });',
      'process.stdin.on("data", () => { process.stdout.write("count " + count + "\\n"); process.exit(0); });',
      'process.stdout.write("ready\\n");',
    ].join(" ");
    const typed: string[] = [];
    const type = (keyboard: { write(text: string): unknown }, key: string) => {
      if (typed.includes(key)) return;
      typed.push(key);
      keyboard.write(key);
    };
    const { stdout } = await runInTerminal(program, tool, ["run", ...place, "--", process.execPath, "-e", code], {
      env: { SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: token },
      onOutput: (keyboard, shown) => {
        if (shown.includes("ready")) type(keyboard, "\u0003");
        if (shown.includes("interrupted")) type(keyboard, "\n");
      },
    });
    expect(stdout).toContain("count 1");
  });
});

describe("slipway doctor", () => {
  it("says where the way of an iPhone to a release ends", async () => {
    const { id } = await aRelease(person, { identifier: app.identifier, environmentId });
    const { code, stdout, stderr } = await run(["doctor", server.url, "--release", id, "--json"]);
    const findings: { check: string; state: string; detail: string }[] = JSON.parse(stdout || "[]");
    expect(
      findings.map(({ check, state }) => `${check} ${state}`),
      stderr,
    ).toEqual(["DNS ok", "TLS failed", "Console ok", "Clock ok", "Manifest failed", ...Array(3).fill("Phone failed")]);
    expect(findings[1]?.detail).toBe("iPhones install only from https:// addresses.");
    expect(code).toBe(1);
  });

  it("checks that the installer is answered by ranges and with its type", async () => {
    const bytes = await anApk(app.identifier);
    const { body } = await publish(person, bytes, "Acme.apk", { environmentId });
    const { stdout } = await run(["doctor", server.url, "--release", body.id]);
    expect(stdout).toContain("ok      Installer  application/vnd.android.package-archive, ranges");
  });

  /** Starts a server that answers as a console, with an icon that is made for each request and so has no ranges. */
  async function aConsole(icon: { type: string }): Promise<Server> {
    const json = { "content-type": "application/json" };
    const console = createServer(({ url = "", headers }, response) => {
      const origin = `http://${headers.host}`;
      const { pathname } = new URL(url, origin);
      const strings = ["app.ipa", "icon.png"].map((name) => `<string>${origin}/${name}</string>`).join("");
      const answers: Record<string, [number, Record<string, string>, string]> = {
        "/api/config/get-app-config": [200, json, '{"name":"Slipway"}'],
        "/api/apps/get-testing-deploy-by-id": [200, json, '{"platform":{"name":"iOS"},"installer":{"kind":"ipa"}}'],
        "/api/apps/generate-apple-manifest-request-token": [200, json, `{"manifestUrl":"${origin}/manifest"}`],
        "/manifest": [200, { "content-type": "application/xml" }, `<plist>software-package${strings}</plist>`],
        "/app.ipa": [206, { "content-type": "application/octet-stream" }, "PK"],
        "/icon.png": [200, { "content-type": icon.type }, "PNG of an icon"],
      };
      const [status, sent, body] = answers[pathname] ?? [404, {}, ""];
      response.writeHead(status, sent).end(body);
    });
    await once(console.listen(0, "127.0.0.1"), "listening");
    return console;
  }

  it.each([
    ["image/png", "ok      Icon 1     image/png"],
    ["text/html", "failed  Icon 1     The type is text/html instead of image/png."],
  ])("checks that the icon is answered, of the type %s, although it has no ranges", async (type, words) => {
    const console = await aConsole({ type });
    const { port } = console.address() as AddressInfo;
    const { stdout } = await run(["doctor", `http://127.0.0.1:${port}`, "--release", newId()]);
    console.close();
    expect(stdout).toContain("ok      Installer  application/octet-stream, ranges");
    expect(stdout).toContain(words);
  });

  it.each([
    ["text/html", "<!DOCTYPE html><h1>Sign in to the network</h1>", "it sent a web page with status 200."],
    ["application/json", '{"status":"ok"}', 'it sent "application/json" with status 200.'],
  ])("says that something else answers with %s", async (type, body, words) => {
    const other = createServer((_request, response) => response.writeHead(200, { "content-type": type }).end(body));
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stdout } = await run(["doctor", `http://127.0.0.1:${port}`]);
    other.close();
    expect(code).toBe(3);
    expect(stdout).toContain(words);
  });

  it("checks the newest release of the environment where none is named", async () => {
    const { id } = await aRelease(person, { identifier: app.identifier, environmentId });
    const reader = await aToken({ appId: app.appId, environmentId, scopes: ["release:read", "release:download"] });
    const { stdout } = await run(["doctor", server.url, "--json"], { env: { SLIPWAY_TOKEN: reader.token } });
    const named = await run(["doctor", server.url, "--json", "--release", id], {
      env: { SLIPWAY_TOKEN: reader.token },
    });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(named.stdout));
    expect(stdout).toContain('"Manifest"');
  });

  it("says when the API token ends", async () => {
    const reader = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"] });
    const tokenFinding = async () => {
      const { stdout } = await run(["doctor", server.url, "--json"], { env: { SLIPWAY_TOKEN: reader.token } });
      return (JSON.parse(stdout) as { check: string }[]).find(({ check }) => check === "Token");
    };
    const until = (days: number) => new Date(Date.now() + days * 86_400_000 + 3_600_000);
    await db.apiToken.update({ where: { id: reader.tokenId }, data: { validUntil: until(5) } });
    expect(await tokenFinding()).toMatchObject({ state: "warning", detail: expect.stringContaining("5 days left.") });
    await db.apiToken.update({ where: { id: reader.tokenId }, data: { validUntil: until(60) } });
    expect(await tokenFinding()).toMatchObject({ state: "ok" });
  });

  it("says what it does not check, and why", async () => {
    const findings = async (words: string[], env: Record<string, string> = {}) => {
      const { stdout } = await run(["doctor", server.url, "--json", ...words], { env });
      return (JSON.parse(stdout) as { check: string; state: string; detail: string }[]).at(-1);
    };
    expect(await findings([], { SLIPWAY_TOKEN: "" })).toEqual({
      check: "Release",
      state: "warning",
      detail: "Not checked. Sign in with `slipway login`, and name a release with --release.",
    });
    expect(await findings(["--release", newId()])).toMatchObject({ check: "Release", state: "failed" });
  });

  it("ends with 3 where the name is not known", async () => {
    const { code, stdout } = await run(["doctor", "https://slipway.invalid"]);
    expect(code).toBe(3);
    // Without a network, no DNS answers.
    expect(stdout).toMatch(/slipway\.invalid is not known to the DNS\.|The DNS did not answer\./);
  });

  it.each([
    [-5, "5 hours slow"],
    [7, "7 hours fast"],
    [24 * 400, "400 days fast"],
  ])("says that the clock is off by %i hours", async (hours, words) => {
    const { code, stdout } = await run(["doctor", server.url], { env: clockOffBy(hours) });
    expect(stdout).toContain(`The clock of this machine is ${words}.`);
    expect(code).toBe(1);
  });
});
