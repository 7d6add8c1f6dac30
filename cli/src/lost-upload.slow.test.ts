import { join } from "node:path";
import { writeIpa } from "@slipway/installers/testing";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { db } from "@/lib/db/client";
import { operations } from "@/lib/operations";
import { currentStore, storage } from "@/lib/storage";
import type { StorageDriver } from "@/lib/storage/driver";
import { anApp, aSession, aUser } from "@/lib/testing/console";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { fileSha256 } from "./lib/installer";
import { setUpTool } from "./testing/tool";

setUpTestDatabase();
const tool = setUpTool();

/** Three parts of 8 MiB. */
const BYTES = 20_000_000;

let server: TestServer;
beforeAll(async () => {
  server = await serveOperations(Object.values(operations));
});
afterAll(() => server.close());

/** Lets the store forget an upload at the given call of a method, once. */
function loseUploadAt(method: "putPart" | "completeMultipart", call: number): { calls: number } {
  const original = storage();
  const seen = { calls: 0 };
  const forgetful = new Proxy(original, {
    get(driver, name) {
      const member: unknown = Reflect.get(driver, name, driver);
      if (typeof member !== "function") return member;
      if (name !== method) return member.bind(driver);
      return async (...args: Parameters<StorageDriver["completeMultipart"]>) => {
        seen.calls += 1;
        if (seen.calls === call) await driver.abortMultipart(args[0], args[1]);
        return member.apply(driver, args);
      };
    },
  });
  currentStore.set(forgetful);
  onTestFinished(() => void currentStore.set(original));
  return seen;
}

it.each([
  { moment: "while its parts are sent", method: "putPart", call: 3 },
  { moment: "when its parts are joined", method: "completeMultipart", call: 1 },
] as const)(
  "an upload that the store loses $moment arrives with its hash, in one run of the tool",
  async ({ method, call }) => {
    const app = await anApp({ environments: [{ name: "Testing" }] });
    const { userId } = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
    const path = join(tool.folder, `${method}.ipa`);
    await writeIpa(path, { identifier: app.identifier, fillerBytes: BYTES });
    const uploads = await db.upload.count();
    const seen = loseUploadAt(method, call);
    const { code, stdout, stderr } = await tool.run(["upload", path, "--json"], {
      env: { SLIPWAY_CONSOLE: `http://127.0.0.1:${server.port}`, SLIPWAY_TOKEN: (await aSession(userId)).token },
    });
    expect(code, stderr).toBe(0);
    expect(seen.calls).toBeGreaterThan(call);
    const release = await db.release.findUniqueOrThrow({
      where: { id: JSON.parse(stdout).id },
      include: { file: true },
    });
    expect(release.file.sha256).toBe(await fileSha256(path));
    expect(await db.upload.count()).toBe(uploads + 1);
  },
  120_000,
);
