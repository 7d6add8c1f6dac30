import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { updateTestingDeploy } from "@/lib/features/releases/operations/update-testing-deploy";
import { ANONYMOUS, anApp, aUser, grantTo, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { atomFeed } from "./internal/atom";
import { createReleaseFeed } from "./operations/create-release-feed";
import { deleteReleaseFeed } from "./operations/delete-release-feed";
import { downloadReleaseFeed } from "./operations/download-release-feed";
import { getReleaseFeed } from "./operations/get-release-feed";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let place: { identifier: string; environmentId: string };
beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

const aReader = () =>
  aUser({
    grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId, environmentIds: [place.environmentId] }] }],
  });
const tokenOf = (url: string) => new URL(url).searchParams.get("token") as string;
const newToken = async (user: TestUser) => tokenOf((await send(createReleaseFeed, user, {})).body.url);
async function read(token: string): Promise<{ status: number; type: string | null; text: string }> {
  const response = await sendRaw(downloadReleaseFeed, ANONYMOUS, { token });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}
const entriesOf = (text: string) => text.split("<entry>").length - 1;

/** Prints what feedparser, the library of PyPI, makes of a feed. */
const PYTHON_WITNESS = `
import feedparser, json, sys
feed = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({"bozo": bool(feed.bozo), "version": feed.version, "title": feed.feed.title, "entries": [
  {"id": e.id, "title": e.title, "link": e.link, "updated": e.updated_parsed is not None, "html": e.content[0].value,
   "type": e.content[0].type, "author": e.author} for e in feed.entries]}))`;

describe("a feed of releases", () => {
  it("has what its owner may read at that time, the last published first", async () => {
    const [reader, stranger] = [await aReader(), await aUser()];
    const [token, empty] = [await newToken(reader), await newToken(stranger)];
    const first = await aRelease(admin, place, { version: "1.0" });
    const second = await aRelease(admin, place, { version: "2.0" });
    const { status, type, text } = await read(token);
    expect([status, type]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    expect(text.indexOf(second.id)).toBeLessThan(text.indexOf(first.id));
    expect(entriesOf((await read(empty)).text)).toBe(0);
    await grantTo(stranger.roleId, { scopes: ["release:read"], apps: [{ appId: app.appId }] });
    expect(entriesOf((await read(empty)).text)).toBe(entriesOf(text));
    await send(deleteTestingDeploy, admin, { id: first.id });
    expect((await read(token)).text).not.toContain(first.id);
    await db.user.update({ where: { id: reader.userId }, data: { status: "inactive" } });
    expect((await read(token)).status).toBe(404);
  });

  it("opens by its latest address only, until it is ended", async () => {
    const reader = await aReader();
    const first = await newToken(reader);
    const second = await newToken(reader);
    expect((await read(first)).status).toBe(404);
    expect((await read(second)).status).toBe(200);
    const { body } = await send(getReleaseFeed, reader, {});
    expect(JSON.stringify(body)).not.toContain(second);
    expect(body).toEqual({ createdAt: expect.any(String), lastReadAt: expect.any(String) });
    expect((await send(deleteReleaseFeed, reader, {})).status).toBe(204);
    expect((await read(second)).status).toBe(404);
    expect((await read("x".repeat(43))).status).toBe(404);
    expect((await send(getReleaseFeed, reader, {})).body).toEqual({ createdAt: null, lastReadAt: null });
    const records = JSON.stringify(await db.auditRecord.findMany({ where: { table: "ReleaseFeed" } }), (_key, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(records).not.toContain(second);
  });

  it("is read by feedparser, with hostile names and notes", { timeout: 180_000 }, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-feed-"));
    context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const python = (...words: string[]) => spawnSync("python3", words, { encoding: "utf8", timeout: 120_000 });
    if (python("--version").status !== 0) context.skip("python3 is not installed");
    const { status } = python("-m", "pip", "install", "--quiet", "--target", folder, "feedparser==6.0.14");
    if (status !== 0) context.skip("pip cannot install feedparser: without a network or without pip");
    const parsed = (text: string) => {
      const { stdout, stderr } = spawnSync("python3", ["-c", PYTHON_WITNESS], {
        input: text,
        encoding: "utf8",
        env: { ...process.env, PYTHONPATH: folder },
      });
      if (stdout === "") throw new Error(stderr);
      return JSON.parse(stdout);
    };
    const reader = await aReader();
    const release = await aRelease(admin, place, { version: "3.0" });
    const description = 'Faster <b>start</b> & "maps"\n\n- ]]> </content></entry>\n- **bold**';
    await send(updateTestingDeploy, admin, { id: release.id, description });
    const { text } = await read(await newToken(reader));
    const feed = parsed(text);
    expect([feed.bozo, feed.version]).toEqual([false, "atom10"]);
    const [entry] = feed.entries;
    expect(entry).toMatchObject({
      id: `urn:uuid:${release.id}`,
      title: expect.stringContaining("3.0"),
      link: release.installUrl,
      type: "text/html",
      updated: true,
      author: "Ada Lovelace",
    });
    expect(entry.html).toContain("<strong>bold</strong>");
    const hostile = { ...release, app: { ...release.app, name: "A\u0000\u000b\ud800<&>\"'" } };
    const self = {
      id: release.id,
      title: "\u0007Console & co",
      self: "https://a.test/?a=1&b=2",
      home: "https://a.test",
    };
    const odd = parsed(atomFeed([hostile], { ...self, updatedAt: new Date() }));
    expect([odd.bozo, odd.title]).toEqual([false, "Console & co"]);
    expect(odd.entries[0].title).toContain("<&>\"'");
  });
});
