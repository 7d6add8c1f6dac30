import { type ChildProcess, spawn } from "node:child_process";
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, unlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPasswordLink } from "@/lib/auth/password-links";
import { ensureServerKeys, publicKeys, RETIRED_KEY_DAYS } from "@/lib/auth/server-keys";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { DiskDriver } from "@/lib/storage/disk";
import { storageKeyFor } from "@/lib/storage/files";
import { S3Driver } from "@/lib/storage/s3";
import { aUser, auditCount } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { startFaultProxy } from "@/lib/testing/fault-proxy";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { bundleCommands } from "./lib/commands.mjs";
import { projectDir } from "./lib/files.mjs";
import { findFreePort } from "./lib/ports.mjs";
import { createTestDatabase, setUpTestDatabase } from "./test-database";
import { findTestS3, NoS3Server } from "./versitygw";

/** Longer than the console waits for a connection. */
const LATE_MS = 3_500;

const s3 = await findTestS3();

setUpTestDatabase();

// Outside the project, so that the commands find no packages, as in the image.
const folder = mkdtempSync(join(tmpdir(), "slipway-commands-"));
const dataDir = join(folder, "data");

beforeAll(() => bundleCommands(folder));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (!(s3 instanceof NoS3Server)) await s3.stop();
});

function start(args: string[], settings: Record<string, string> = {}): ChildProcess {
  const [name, ...rest] = args;
  return spawn(process.execPath, [join(folder, `${name}.mjs`), ...rest], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      APP_URL: "https://slipway.example.com",
      DATABASE_URL: process.env.DATABASE_URL,
      MASTER_KEY: process.env.MASTER_KEY,
      DATA_DIR: dataDir,
      ...settings,
    },
  });
}

async function run(args: string[], settings?: Record<string, string>) {
  const child = start(args, settings);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, "close"),
  ]);
  return { code, out, err };
}

describe("the commands of the image", () => {
  it("verify the audit log, and exit with 1 if a record was changed", async () => {
    await databasePool().query(
      `INSERT INTO "AuditRecord" SELECT 0, NULL, NULL, 'App', n::text, 'update', now(), '{}', NULL, 'r', '', '' FROM generate_series(1, 3) AS n`,
    );
    const { rows } = await databasePool().query('SELECT "hash" FROM "AuditRecord" WHERE "id" = 3');
    const head = `3:${rows[0].hash}`;
    expect(await run(["audit", "verify"])).toEqual({
      code: 0,
      out: `3 records read, all whole\nhead ${head}\n`,
      err: "",
    });
    await databasePool().query(
      `ALTER TABLE "AuditRecord" DISABLE TRIGGER USER; UPDATE "AuditRecord" SET "ip" = '192.0.2.1' WHERE "id" = 2; ALTER TABLE "AuditRecord" ENABLE TRIGGER USER`,
    );
    const broken = await run(["audit", "verify", "--head", head]);
    expect(broken).toEqual({
      code: 1,
      out: `record 2 was changed\n3 records read, NOT whole\nhead ${head}\n`,
      err: "",
    });
    expect((await run(["audit", "verify", "--head", "3"])).code).toBe(2);
  });

  it("wait for a database that does not answer yet, or answers late", async () => {
    const { hostname, port } = new URL(process.env.DATABASE_URL as string);
    let connections = 0;
    const late = createTcpServer((from) => {
      connections += 1;
      // The database starts.
      if (connections === 1) return void from.destroy();
      // The machine is busy, for longer than a request of the console waits.
      const to = connect(Number(port), hostname).on("error", () => from.destroy());
      from.on("error", () => to.destroy());
      from.pipe(to);
      setTimeout(() => to.pipe(from), connections === 2 ? LATE_MS : 0);
    }).listen(0, "127.0.0.1");
    await once(late, "listening");
    const url = new URL(process.env.DATABASE_URL as string);
    url.port = String((late.address() as AddressInfo).port);
    const out = expect.stringContaining("3 records read");
    expect(await run(["audit", "verify"], { DATABASE_URL: url.href })).toMatchObject({ out, err: "" });
    expect(connections).toBeGreaterThanOrEqual(2);
    late.close();
  });

  it("restore a backup into a database that nothing else is connected to", async () => {
    const empty = await createTestDatabase({ empty: true });
    cpSync(join(projectDir, "prisma", "migrations"), join(folder, "prisma", "migrations"), { recursive: true });
    expect((await run(["backup", "keygen", "key"])).code).toBe(0);
    const BACKUP_DIR = join(folder, "backups");
    const [BACKUP_RECIPIENTS = ""] = /age1\w+/.exec(readFileSync(join(folder, "key"), "utf8")) ?? [];
    expect(await run(["backup", "create"], { BACKUP_DIR, BACKUP_RECIPIENTS })).toMatchObject({ code: 0 });
    const restored = await run(["restore", "--identity", "key"], {
      BACKUP_DIR,
      DATABASE_URL: empty.url,
      DATA_DIR: join(folder, "restored"),
    });
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining("Start the console now.")]);
    await empty.drop();
  });

  it("verify an exported log against a signed checkpoint without the database and the settings", async () => {
    const tamper = (statement: string) =>
      databasePool().query(
        `ALTER TABLE "AuditRecord" DISABLE TRIGGER USER; ${statement}; ALTER TABLE "AuditRecord" ENABLE TRIGGER USER`,
      );
    await tamper('DELETE FROM "AuditRecord"');
    await databasePool().query(
      `INSERT INTO "AuditRecord" SELECT 0, NULL, NULL, 'App', n::text, 'update', now(),
         jsonb_build_object('größe', jsonb_build_array(NULL, n * 1.50)), NULL, 'r', '', '' FROM generate_series(1, 5) AS n`,
    );
    await ensureServerKeys();
    const file = (name: string) => join(dataDir, name);
    const taken = await run(["audit", "checkpoint"]);
    expect(taken.code).toBe(0);
    const { kid } = JSON.parse(taken.out);
    const written = await run(["audit", "checkpoint", "--output", file("checkpoint.json")]);
    expect(written).toMatchObject({ code: 0, out: "", err: "" });
    expect(JSON.parse(readFileSync(file("checkpoint.json"), "utf8"))).toMatchObject({
      records: JSON.parse(taken.out).records,
    });
    writeFileSync(file("checkpoint.json"), taken.out);
    writeFileSync(file("keys.json"), JSON.stringify({ keys: await publicKeys() }));
    expect((await run(["audit", "export", "--output", file("log.ndjson")])).code).toBe(0);

    const offline = (...args: string[]) =>
      run(["audit", "verify", "--checkpoint", file("checkpoint.json"), ...args], {
        DATABASE_URL: "",
        MASTER_KEY: "",
        DATA_DIR: "/dev/null",
      });
    const signed = `checkpoint of https://slipway.example.com/: 5 records at ${JSON.parse(taken.out).createdAt}, signed by key ${kid}\n`;
    const whole = await offline("--log", file("log.ndjson"), "--key", file("keys.json"));
    expect(whole).toMatchObject({ code: 0, err: "" });
    expect(whole.out).toContain(`${signed}5 records read, all whole\n`);

    const lines = readFileSync(file("log.ndjson"), "utf8").trimEnd().split("\n");
    const offlineWith = async (...changed: string[]) => {
      writeFileSync(file("changed.ndjson"), `${changed.join("\n")}\n`);
      const { code, out } = await offline("--log", file("changed.ndjson"));
      return [code, out.split("\n")[1]];
    };
    const [one, two, three, four, five] = lines as [string, string, string, string, string];
    expect(await offlineWith(one, two, three, four)).toEqual([1, "record 5 was removed"]);
    expect(await offlineWith(one, three, four, five)).toEqual([1, "record 2 was removed"]);
    expect(await offlineWith(one, two, three.replace("update", "delete"), four, five)).toEqual([
      1,
      "record 3 was changed",
    ]);

    const forged = { ...JSON.parse(taken.out), records: 4 };
    writeFileSync(file("checkpoint.json"), JSON.stringify(forged));
    expect(await offline("--log", file("log.ndjson"))).toMatchObject({
      code: 1,
      err: `${file("checkpoint.json")}: the signature is not valid; the checkpoint was changed\n`,
    });
    const { publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(file("checkpoint.json"), taken.out);
    writeFileSync(file("other.pem"), publicKey.export({ type: "spki", format: "pem" }));
    expect(await offline("--log", file("log.ndjson"), "--key", file("other.pem"))).toMatchObject({ code: 1, out: "" });

    await tamper('DELETE FROM "AuditRecord" WHERE "id" > 3');
    expect(await run(["audit", "verify"])).toMatchObject({ code: 0 });
    const truncated = await run(["audit", "verify", "--checkpoint", file("checkpoint.json")]);
    expect([truncated.code, truncated.out.split("\n")[1]]).toEqual([1, "records 4 to 5 were removed"]);
  });

  it("reset a second factor from the server's command line, with a record in the audit log", async () => {
    const [user, other] = [await aUser({ admin: true }), await aUser()];
    for (const { userId, sessionId } of [user, other]) await withTwoFactor({ userId, sessionId }, { passed: true });
    const { code, out, err } = await run(["admin", "reset-two-factor", user.email.toUpperCase()]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("is off");
    expect(await db.twoFactor.findMany({ select: { userId: true } })).toEqual([{ userId: other.userId }]);
    expect(await db.session.count({ where: { userId: user.userId } })).toBe(0);
    expect(await db.session.count({ where: { userId: other.userId } })).toBe(1);
    expect(await db.auditRecord.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      table: "TwoFactor",
      action: "reset",
      recordId: user.userId,
      userId: null,
      changes: { enabled: [true, false], by: [null, "command line"] },
    });
  });

  it("print a password recovery link, which the audit log records without the token", async () => {
    const { userId, email } = await aUser();
    const { code, out } = await run(["admin", "recovery-link", email]);
    expect(code).toBe(0);
    const [, token] = /^https:\/\/slipway\.example\.com\/reset-password\?token=([\w-]{43})\n$/.exec(out) ?? [];
    const link = await findPasswordLink(db, token as string, new Date());
    expect(link).toMatchObject({ purpose: "recovery", user: { id: userId } });
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "User", action: "password-recovery", recordId: userId });
    expect(JSON.stringify(record.changes)).not.toContain(token);
  });

  it("refuse with a reason: no such user, nothing to reset, no password sign-in, or no such command", async () => {
    const inactive = await aUser({ status: "inactive" });
    const before = [await auditCount(), await db.oneTimeToken.count()];
    for (const [command, email, words] of [
      ["reset-two-factor", "nobody@example.test", "no user with the e-mail nobody@example.test"],
      ["reset-two-factor", inactive.email, "has neither two-factor authentication nor passkeys"],
      ["recovery-link", inactive.email, "switched off"],
    ] as const) {
      const { code, out, err } = await run(["admin", command, email]);
      expect([code, out, err]).toEqual([1, "", expect.stringContaining(words)]);
    }
    expect((await run(["admin", "toString", inactive.email])).code).toBe(2);
    expect((await run(["admin", "recovery-link"])).code).toBe(2);
    expect([await auditCount(), await db.oneTimeToken.count()]).toEqual(before);
  });

  it("replace the key that signs responses, with a record in the audit log", async () => {
    await ensureServerKeys();
    const before = await auditCount();
    const { code, out, err } = await run(["signing-key", "rotate"]);
    const [, until = ""] = /^The old public keys are published until (\S+)\.\n$/.exec(err) ?? [];
    const retired = await db.serverKey.findFirstOrThrow({ where: { use: "sig", retiredAt: { not: null } } });
    const end = Number(retired.retiredAt) + RETIRED_KEY_DAYS * DAY_MS;
    expect({ code, until }).toEqual({ code: 0, until: new Date(end).toISOString() });
    const { kid } = await db.serverKey.findFirstOrThrow({ where: { use: "sig", retiredAt: null } });
    expect(out).toBe(`${kid}\n`);
    expect(await db.serverKey.count({ where: { use: "sig" } })).toBe(2);
    expect((await run(["signing-key", "rotate", "--revoke"])).code).toBe(0);
    expect(await db.serverKey.count({ where: { use: "sig" } })).toBe(1);
    expect(await auditCount()).toBe(before + 2);
    expect((await run(["signing-key"])).code).toBe(2);
  });

  it.each([
    ["audit", "verify"],
    ["admin", "recovery-link", "somebody@example.test"],
    ["store", "cors"],
    ["signing-key", "rotate"],
    ["sweep"],
  ])("name a wrong setting in words, with exit code 1: %s", async (...args) => {
    const { code, out, err } = await run(args, { APP_URL: "not an address" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("APP_URL");
    expect(err).not.toMatch(/^ +at /m);
  });

  it.each(["admin", "audit", "keys", "signing-key", "store", "sweep"])(
    "say how %s is run in the image",
    async (name) => {
      expect((await run([name, "--help"])).out).toContain(`usage: node commands/${name}.mjs`);
    },
  );

  it("name the missing database, which the image does not contain", async () => {
    const { code, out, err } = await run(["sweep"], { DATABASE_URL: "" });
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err: "DATABASE_URL or DATABASE_URL_FILE: required in the container image\n",
    });
  });

  it("check the health of the server that runs in the same container", async () => {
    const statuses = [200, 503];
    const server = createServer((_request, response) => response.writeHead(statuses.shift() ?? 500).end()).listen(0);
    await once(server, "listening");
    const settings = { PORT: String((server.address() as AddressInfo).port), TMPDIR: folder };
    expect((await run(["health"], settings)).code).toBe(0);
    expect((await run(["health"], settings)).code).toBe(1);
    server.close();
    server.closeAllConnections();
    await once(server, "close");
    expect(await run(["health"], settings)).toEqual({ code: 1, out: "", err: "" });
  });

  it("run the sweeper", async () => {
    expect(JSON.parse((await run(["sweep", "--now"])).out)).toMatchObject({ files: 0, lost: [] });
  });

  it("name the missing setting of the store", async () => {
    expect(await run(["store", "cors"])).toMatchObject({ code: 1, err: expect.stringContaining("S3_ENDPOINT") });
    expect((await run(["store", "migrate"])).code).toBe(2);
  });
});

describeWith(s3, "the S3 store", (server) => {
  const settings = (endpoint = server.endpoint, bucket = "moved") => ({
    S3_ENDPOINT: endpoint,
    S3_REGION: server.region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: server.accessKey,
    S3_SECRET_ACCESS_KEY: server.secretKey,
    S3_FORCE_PATH_STYLE: "true",
  });
  const s3Driver = (bucket = "moved") =>
    new S3Driver({
      endpoint: server.endpoint,
      region: server.region,
      bucket,
      accessKeyId: server.accessKey,
      secretAccessKey: server.secretKey,
      forcePathStyle: true,
    });

  it("accepts uploads from pages of the console only, after store cors", async () => {
    const result = await run(["store", "cors"], settings(undefined, "pages"));
    expect(result).toEqual({
      code: 0,
      out: "Browsers may send files to the store from https://slipway.example.com.\n",
      err: "",
    });
    const preflight = (origin: string) =>
      fetch(`${server.endpoint}/pages/installers/x`, {
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "PUT" },
      });
    expect((await preflight("https://slipway.example.com")).headers.get("access-control-allow-origin")).toBe(
      "https://slipway.example.com",
    );
    expect((await preflight("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
  });

  it("keeps an administrator's CORS rule when the console starts, and replaces its own of an earlier address", async () => {
    const driver = s3Driver("rules");
    await driver.prepare();
    expect(await driver.ensureOrigin("https://old.example.com")).toBe("set");
    expect(await driver.ensureOrigin("https://old.example.com")).toBe("kept");
    expect(await driver.ensureOrigin("https://new.example.com")).toBe("set");
    expect(await driver.allowsOrigin("https://old.example.com")).toBe(false);
    expect(await driver.allowsOrigin("https://new.example.com")).toBe(true);
    await driver.allowOrigins(["https://a.example.com", "https://b.example.com"]);
    expect(await driver.ensureOrigin("https://b.example.com")).toBe("kept");
    expect(await driver.allowsOrigin("https://a.example.com")).toBe(true);
  });

  it("at an address that cannot be reached is reported in words, with what was done", async () => {
    const settingsOf = (address: string) => ({ ...settings(undefined, "split"), S3_PUBLIC_ENDPOINT: address });
    const address = `http://127.0.0.1:${await findFreePort("127.0.0.1")}`;
    const { code, out, err } = await run(["store", "cors"], settingsOf(address));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`The rule is set, but it could not be checked: ${address} cannot be reached from here`);
    expect(err).toContain("ECONNREFUSED");
    expect(err).not.toMatch(/^ +at /m);
  });

  it("without support for PutBucketCors is reported, with the rule to set", async () => {
    const proxy = await startFaultProxy(server.endpoint);
    proxy.treat(({ method, url }) =>
      (method === "PUT" && url.searchParams.has("cors")) || method === "OPTIONS"
        ? { status: 501, body: "<Error><Code>NotImplemented</Code></Error>" }
        : "pass",
    );
    const result = await run(["store", "cors"], settings(proxy.url, "strict"));
    expect(result.code).toBe(1);
    expect(result.err).toContain("does not know the call PutBucketCors");
    expect(result.err).toContain('"AllowedOrigins": [\n      "https://slipway.example.com"');
    await proxy.close();
  });

  const disk = new DiskDriver({ dataDir });
  const contents = new Map<string, { key: string; sha256: string; bytes: Buffer }>();

  async function aFile(size: number, extra: { sha256?: string; state?: "pending" | "ready" | "deleting" } = {}) {
    const id = newId();
    const key = storageKeyFor("installer", id);
    const bytes = randomBytes(size);
    const contentType = "application/octet-stream";
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await disk.put(key, Readable.from([bytes]), { contentType, maxBytes: size });
    await db.file.create({
      data: {
        id,
        storageKey: key,
        name: "a.ipa",
        contentType,
        size: BigInt(size),
        sha256,
        purpose: "installer",
        state: "ready",
        ...extra,
      },
    });
    return { id, key, sha256, bytes };
  }

  it("receives every file of the disk, compared by SHA-256, also after a kill -9 midway", async () => {
    await disk.prepare();
    for (let index = 0; index < 12; index++) {
      const file = await aFile(index === 5 ? 11 * 1024 * 1024 : 1000 + index);
      contents.set(file.id, file);
    }
    await aFile(10, { state: "deleting" });

    const proxy = await startFaultProxy(server.endpoint);
    const reached = Promise.withResolvers<void>();
    let parts = 0;
    // The upload of the large file hangs at its second part.
    proxy.treat(({ method, url }) => {
      if (method !== "PUT" || !url.searchParams.has("partNumber") || ++parts < 2) return "pass";
      reached.resolve();
      return "hang";
    });
    const first = start(["store", "migrate", "--to", "s3"], settings(proxy.url));
    await reached.promise;
    first.kill("SIGKILL");
    await once(first, "exit");
    await proxy.close();
    const journal = await readFile(join(dataDir, "migration-to-s3.txt"), "utf8");
    expect(journal.trimEnd().split("\n")).toHaveLength(1 + 5);

    // The journal names the proxy's address; for the server's own address, it does not count.
    const second = await run(["store", "migrate", "--to", "s3"], settings());
    expect(second.err).toContain("start it with STORAGE=s3");
    expect([second.code, JSON.parse(second.out)]).toEqual([
      0,
      expect.objectContaining({ files: 12, copied: 7, missing: [], damaged: [] }),
    ]);
    const third = await run(["store", "migrate", "--to", "s3"], settings());
    expect(JSON.parse(third.out)).toMatchObject({ files: 12, copied: 0 });

    const moved = s3Driver();
    for (const { key, sha256 } of contents.values()) {
      const hash = createHash("sha256");
      for await (const chunk of await moved.get(key)) hash.update(chunk);
      expect(hash.digest("hex")).toBe(sha256);
    }
    const swept = await run(["sweep", "--now"], { ...settings(), STORAGE: "s3" });
    expect(JSON.parse(swept.out)).toMatchObject({ unfinished: 1, objects: 0, lost: [] });
    expect(await db.file.count({ where: { state: "ready" } })).toBe(12);
  });

  it("does not receive files that are damaged or missing on the disk, and the command lists them", async () => {
    const [damaged, missing] = [await aFile(100), await aFile(100)];
    await writeFile(join(dataDir, "files", damaged.key), randomBytes(100));
    await unlink(join(dataDir, "files", missing.key));
    const { code, out } = await run(["store", "migrate", "--to", "s3"], settings());
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { files: 12, copied: 0, bytes: 0, missing: [missing.id], damaged: [damaged.id] },
    ]);
    expect(await s3Driver().head(damaged.key)).toBeNull();
  });

  it("receives a file again if its copy is incomplete", async () => {
    const [one] = contents.values();
    await s3Driver().put(one?.key as string, Readable.from([randomBytes(7)]), { contentType: "", maxBytes: 7 });
    expect(JSON.parse((await run(["store", "migrate", "--to", "s3"], settings())).out)).toMatchObject({ copied: 1 });
  });
});
