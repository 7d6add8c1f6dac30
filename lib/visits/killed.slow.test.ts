import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { namedVisitor } from "./visitor";

setUpTestDatabase();

/** What may be lost. */
const LAST_SECOND_MS = 1_000;

it("loses at most the last second of steps and of sent bytes to a kill -9, and counts the rest once", async () => {
  const admin = await aUser({ admin: true });
  const app = await anApp();
  const environmentId = app.environmentIds[0] as string;
  const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId });
  const downloader = newId();
  const program = ["--import", "tsx", "--conditions=react-server", join("testing", "recording-visits.ts")];
  const child = spawn(process.execPath, [...program, releaseId, downloader], { stdio: ["ignore", "pipe", "inherit"] });
  const recorded: { visitorId: string; sent: number; at: number }[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [visitorId = "", sent] = line.split(" ");
    recorded.push({ visitorId, sent: Number(sent), at: performance.now() });
    // After several writes, at a moment that has nothing to do with them.
    if (recorded.length === 700) child.kill("SIGKILL");
  }
  if (child.signalCode === null) await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
  const killedAt = (recorded[699] as (typeof recorded)[number]).at;
  const old = recorded.filter(({ at }) => at < killedAt - LAST_SECOND_MS);
  expect(old.length).toBeGreaterThan(100);

  // PostgreSQL may finish the last statement after the process has ended.
  const missing = async () => {
    const visits = await db.installVisit.findMany({ where: { releaseId }, select: { visitorId: true } });
    const kept = new Set(visits.map(({ visitorId }) => visitorId));
    return old.filter(({ visitorId }) => !kept.has(visitorId)).length;
  };
  await expect.poll(missing).toBe(0);
  const { ranges } = await db.installVisit.findFirstOrThrow({
    where: { releaseId, visitorId: namedVisitor(downloader).id },
  });
  const sent = Math.max(...(ranges as [number, number][]).map(([, end]) => end));
  expect(sent).toBeGreaterThanOrEqual((old.at(-1) as (typeof recorded)[number]).sent);

  const visits = await db.installVisit.count({ where: { releaseId } });
  const { _sum } = await db.installCount.aggregate({
    where: { releaseId, day: null, os: null },
    _sum: { opened: true, begun: true },
  });
  expect(_sum).toEqual({ opened: BigInt(visits), begun: 1n });
});
