import { beforeAll, expect, it } from "vitest";
import { isAudited, type Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { admitsUsers } from "@/lib/permissions/authorize";
import { aUser, type Caller } from "@/lib/testing/console";
import { aDevice } from "@/lib/testing/devices";
import { someFeedback } from "@/lib/testing/feedback";
import { aGroupReader, distributed } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";
import { sampleOf } from "./testing/samples";

// What each operation tells of other people to users whose only right is to read and install builds.

setUpTestDatabase();

const NAMES = ["Plantina", "Canaryfield"];
const DEVICE = "private iPhone";

/** What a person who reads builds may call; the answers to a sign-in are about the person who signs in. */
const forReaders = Object.entries(operations as Record<string, Operation>).filter(
  ([, operation]) =>
    admitsUsers(operation.access) &&
    !["admin", "partial-session"].includes(operation.access as string) &&
    !(isAudited(operation) && operation.audit.action === "sign-in"),
);

let world: World;
let readers: [string, Caller][];
let groupId: string;
let served = 0;

/** Distributes the releases that the sample has made to the group of the reader. */
async function distributeAll(): Promise<void> {
  const where = { environmentId: world.environmentId, testerGroups: { none: {} } };
  for (const { id } of await db.release.findMany({ where, select: { id: true } })) await distributed(id, groupId);
}

beforeAll(async () => {
  world = await makeWorld();
  const others = { id: { in: [world.admin.userId, world.verifiedAdmin.userId] } };
  await db.user.updateMany({ where: others, data: { firstNames: NAMES[0], lastNames: NAMES[1] } });
  await aDevice({ userId: world.verifiedAdmin.userId, name: `Another ${DEVICE}` });
  const { appId } = world.app;
  const reader = await aUser({ grants: [{ scopes: ["release:read", "release:download"], apps: [{ appId }] }] });
  const groupReader = await aGroupReader({ appId });
  await someFeedback(world);
  groupId = groupReader.groupId;
  readers = [
    ["a reader", reader],
    ["a reader of a group", groupReader],
  ];
});

it.each(forReaders)(
  "%s tells readers of builds no e-mails and devices of others, and names only if it declares so",
  async (_, operation) => {
    for (const [reader, caller] of operation.forGroups ? readers : readers.slice(0, 1)) {
      const call = await sampleOf(operation).arrange(world);
      await distributeAll();
      const { status, body } = await call(caller);
      if (status >= 400) continue;
      served += 1;
      const text = JSON.stringify(body) ?? "";
      const secret = [world.admin.email, world.verifiedAdmin.email, DEVICE].filter((one) => text.includes(one));
      expect([reader, ...secret], "more than a right to read a build").toEqual([reader]);
      const names = NAMES.filter((name) => text.includes(name));
      expect([reader, ...(operation.namesPeople ? [] : names)], "`namesPeople`").toEqual([reader]);
    }
  },
);

it("the operations above answered readers", () => {
  expect(served).toBeGreaterThan(60);
});
