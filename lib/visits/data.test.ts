import { beforeAll, describe, expect, it, vi } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { writeVisits } from "./data";
import type { ByteRange } from "./ranges";
import { stepsUpTo, type VisitChange } from "./state";
import { namedVisitor, type Visitor } from "./visitor";

setUpTestDatabase();

const SIZE = 100;
let releaseId: string;
beforeAll(async () => {
  const admin = await aUser({ admin: true });
  const app = await anApp();
  const environmentId = app.environmentIds[0] as string;
  releaseId = (await aRelease(admin, { identifier: app.identifier, environmentId })).id;
});

const rowOf = (visitorId: string) =>
  db.installVisit.findUniqueOrThrow({ where: { releaseId_visitorId: { releaseId, visitorId } } });

/** A visit that has begun to fetch a file, and what tells of further bytes of it. */
async function begun(): Promise<{ visitor: Visitor; fileId: string; send: (...ranges: ByteRange[]) => Promise<void> }> {
  const [visitor, fileId] = [namedVisitor(newId()), newId()];
  const change = (more: Partial<VisitChange>): VisitChange => {
    return { releaseId, visitor, at: new Date(), steps: [], package: { fileId, size: SIZE }, ...more };
  };
  await writeVisits([change({ steps: stepsUpTo("begun", false), fromStore: false })]);
  return { visitor, fileId, send: (...ranges) => writeVisits([change({ ranges })]) };
}

describe("what is sent between the first and the last byte", () => {
  it("is kept as it is, and completes the visit once, whatever overlaps or is repeated", async () => {
    const { visitor, send } = await begun();
    await send([0, 30]);
    await send([0, 60]);
    expect(await rowOf(visitor.id)).toMatchObject({
      ranges: [
        [0, 30],
        [0, 60],
      ],
      completeAt: null,
    });
    await send([50, SIZE]);
    const complete = await rowOf(visitor.id);
    expect(complete).toMatchObject({ ranges: [], completeAt: expect.any(Date) });
    await send([0, SIZE]);
    expect(await rowOf(visitor.id)).toMatchObject({ ranges: [], completeAt: complete.completeAt });
    const { _sum } = await db.installCount.aggregate({ where: { releaseId, day: null }, _sum: { complete: true } });
    // Once among the systems and once among the models.
    expect(_sum.complete).toBe(2n);
  });

  it("of many pieces, in any order and one by one, completes it too, in a row that stays short", async () => {
    const { visitor, send } = await begun();
    const starts = Array.from({ length: SIZE }, (_, index) => (index * 37) % SIZE);
    for (const start of starts.slice(1)) await send([start, start + 1]);
    const { ranges, completeAt } = await rowOf(visitor.id);
    expect([(ranges as unknown[]).length <= 64, completeAt]).toEqual([true, null]);
    await send([0, 1]);
    expect((await rowOf(visitor.id)).completeAt).not.toBeNull();
  });

  it("of another file starts at zero", async () => {
    const { visitor, send } = await begun();
    await send([0, 60]);
    const other = { fileId: newId(), size: SIZE };
    await writeVisits([{ releaseId, visitor, at: new Date(), steps: [], package: other, ranges: [[60, SIZE]] }]);
    expect(await rowOf(visitor.id)).toMatchObject({ fileId: other.fileId, ranges: [[60, SIZE]], completeAt: null });
  });

  it("of a release that has been deleted is not recorded", async () => {
    const visit = { releaseId: newId(), visitor: namedVisitor(newId()), at: new Date(), steps: [] };
    await writeVisits([{ ...visit, package: { fileId: newId(), size: SIZE }, ranges: [[0, 1]] }]);
    expect(await db.installVisit.count({ where: { releaseId: visit.releaseId } })).toBe(0);
  });
});

describe("what a visit costs", () => {
  /** The first words of the statements of some work. */
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const query = vi.spyOn(databasePool(), "query");
    await work();
    const texts = query.mock.calls.map(([statement]) => (statement as unknown as { text: string }).text.trim());
    query.mockRestore();
    return texts.map((text) => /^\w+/.exec(text)?.[0] as string);
  }

  it("is two statements for what happened within half a second, and one for more bytes of its package", async () => {
    const { visitor, send } = await begun();
    expect(await statementsOf(() => send([0, 30]))).toEqual(["UPDATE"]);
    expect(await statementsOf(() => send([30, SIZE]))).toEqual(["SELECT", "WITH"]);
    expect((await rowOf(visitor.id)).completeAt).not.toBeNull();
    expect(await statementsOf(begun)).toEqual(["SELECT", "WITH"]);
  });
});

describe("a visit that several instances write at the same moment", () => {
  it("stands once in each count, with all of its steps", async () => {
    const visitor = namedVisitor(newId());
    const total = async () => {
      const { _sum } = await db.installCount.aggregate({
        where: { releaseId, day: null, os: null },
        _sum: { opened: true, tapped: true, begun: true, complete: true },
      });
      return [_sum.opened, _sum.tapped, _sum.begun, _sum.complete].map(Number);
    };
    const before = await total();
    const file = { fileId: newId(), size: SIZE };
    const steps = stepsUpTo("begun", false);
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => {
        const ranges: ByteRange[] = [[index * 20, index * 20 + 20]];
        return writeVisits([{ releaseId, visitor, at: new Date(), steps, package: file, ranges, fromStore: false }]);
      }),
    );
    expect(await rowOf(visitor.id)).toMatchObject({ ranges: [], completeAt: expect.any(Date) });
    expect(await total()).toEqual(before.map((count) => count + 1));
  });
});
