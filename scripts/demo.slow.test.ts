import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { projectDir } from "./lib/files.mjs";
import { setUpTestDatabase } from "./test-database";

setUpTestDatabase();

const dataDir = mkdtempSync(join(tmpdir(), "slipway-demo-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs the command and returns its output. */
async function demo(): Promise<string> {
  const program = join(projectDir, "node_modules", ".bin", "tsx");
  const { stdout } = await promisify(execFile)(program, ["--conditions=react-server", "scripts/demo.ts"], {
    cwd: projectDir,
    env: { ...process.env, DATA_DIR: dataDir },
  });
  return stdout;
}

it("npm run demo publishes its releases once, and leaves no session behind", { timeout: 120_000 }, async () => {
  expect(await demo()).toContain("Orbit-2.4.0.aab is published");
  const releases = await db.release.count();
  expect(releases).toBeGreaterThan(3);
  expect(await db.environmentSigningKey.count()).toBe(1);
  expect(await db.session.count()).toBe(0);
  expect(await db.auditRecord.count({ where: { table: "Release", action: "create" } })).toBe(
    releases + (await db.binnedRelease.count()),
  );
  const again = await demo();
  expect(again).toContain("there already");
  expect(again).toMatch(/recovery-link dana@example\.com/);
  expect(await db.release.count()).toBe(releases);
});
