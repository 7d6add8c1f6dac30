import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { aCertificate } from "@/lib/testing/certificates";
import { auditCount, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { aVariable } from "@/lib/testing/variables";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";

setUpTestDatabase();

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

type Edited = {
  operation: keyof typeof operations;
  /** Makes a row and returns its ID and when it was changed last, as the API tells it. */
  make(): Promise<{ id: string; updatedAt: string }>;
  /** The changes of two people. */
  changes: readonly [object, object];
};

const made = (answer: { body: { id: string; updatedAt: string } }) => answer.body;

const EDITED: readonly Edited[] = [
  {
    operation: "apps/update-development-variable",
    make: async () => {
      const { environmentId } = world;
      await aVariable("dev-variable", world.verifiedAdmin, { environmentId, key: "MAX_PHOTO_MB", value: "10" });
      const { id } = await db.devVariable.findFirstOrThrow({ where: { environmentId, key: "MAX_PHOTO_MB" } });
      return made(await send(operations["apps/get-development-variable"], world.verifiedAdmin, { id }));
    },
    changes: [{ value: "13" }, { value: "14" }],
  },
  {
    operation: "apps/update-secure-variable",
    make: async () => {
      const { environmentId } = world;
      await aVariable("secure-variable", world.verifiedAdmin, { environmentId, key: "SECRET", value: "first" });
      const { id } = await db.secureVariable.findFirstOrThrow({ where: { environmentId, key: "SECRET" } });
      return made(await send(operations["apps/get-secure-variable"], world.verifiedAdmin, { id }));
    },
    changes: [{ value: "mine" }, { value: "theirs" }],
  },
  {
    operation: "apps/update-secure-certificate",
    make: async () => {
      const { environmentId } = world;
      await aCertificate(world.verifiedAdmin, { environmentId });
      const { id } = await db.secureCertificate.findFirstOrThrow({ where: { environmentId } });
      return made(await send(operations["apps/get-secure-certificate"], world.verifiedAdmin, { id }));
    },
    changes: [{ name: "Mine" }, { name: "Theirs" }],
  },
  {
    operation: "apps/update-environment-app",
    make: async () =>
      made(await send(operations["apps/get-environment-app"], world.verifiedAdmin, { id: world.environmentId })),
    changes: [{ name: "Mine" }, { name: "Theirs" }],
  },
  {
    operation: "apps/update-testing-deploy",
    make: async () => {
      const { identifier } = await db.app.findUniqueOrThrow({ where: { id: world.app.appId } });
      await aRelease(world.admin, { identifier, environmentId: world.environmentId });
      const { id } = await db.release.findFirstOrThrow({ where: { environmentId: world.environmentId } });
      return made(await send(operations["apps/get-testing-deploy-by-id"], world.verifiedAdmin, { id }));
    },
    changes: [{ description: "Mine" }, { description: "Theirs" }],
  },
];

describe.each(EDITED)("$operation", ({ operation, make, changes: [mine, theirs] }) => {
  it("keeps one of two changes that are saved at the same moment, and tells the other person of it", async () => {
    const { id, updatedAt: ifUpdatedAt } = await make();
    const save = (change: object, at = ifUpdatedAt) =>
      send(operations[operation], world.verifiedAdmin, { id, ifUpdatedAt: at, ...change } as never);
    const before = await auditCount();
    const answers = await Promise.all([save(mine), save(theirs)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [saved, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(refused?.body).toMatchObject({
      code: "conflict",
      detail: "This was changed after you opened the page. Reload it to see the current state.",
    });
    expect(await auditCount()).toBe(before + 1);
    // With what is stored now, the other person's change can be saved.
    const lost = saved === answers[0] ? theirs : mine;
    expect((await save(lost, saved?.body.updatedAt)).status).toBe(200);
    expect((await save(lost)).status).toBe(409);
  });
});
