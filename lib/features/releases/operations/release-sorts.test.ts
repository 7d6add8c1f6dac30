import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, type Caller, send } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { blocksRead } from "@/lib/testing/plans";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getTestingDeploys } from "./get-testing-deploys";

setUpTestDatabase();

let admin: Caller;
let place: { identifier: string; environmentId: string };
let environmentId: string;
beforeAll(async () => {
  admin = await aUser({ admin: true });
  const { identifier, environmentIds } = await anApp();
  environmentId = environmentIds[0] as string;
  place = { identifier, environmentId };
});

/** Publishes releases, whose files then have the given sizes. */
async function releases(list: { version: string; size: number }[]): Promise<void> {
  for (const { version, size } of list) {
    const { id } = await aRelease(admin, place, { version });
    const { fileId } = await db.release.update({ where: { id }, data: { size } });
    await db.file.update({ where: { id: fileId }, data: { size } });
  }
}

const order = async (sort: string) => {
  const { pages } = await readPages(getTestingDeploys, admin, { environmentId, sort, limit: 2 });
  return pages.flat().map(({ version, size }) => `${version} ${size}`);
};

describe("the releases of an environment", () => {
  it("are sorted by version part by part, over pages, in both directions", async () => {
    await releases([
      { version: "1.10", size: 3_000_000_000 },
      { version: "1.9", size: 700 },
      { version: "1.10", size: 20 },
      { version: "2.0", size: 100 },
      { version: "1.9.1", size: 700 },
    ]);
    const byVersion = ["1.9 700", "1.9.1 700", "1.10 3000000000", "1.10 20", "2.0 100"];
    expect(await order("version")).toEqual(byVersion);
    expect(await order("-version")).toEqual(byVersion.toReversed());
  });

  it("are sorted by size, over pages, in both directions", async () => {
    const bySize = ["1.10 20", "2.0 100", "1.9 700", "1.9.1 700", "1.10 3000000000"];
    expect(await order("size")).toEqual(bySize);
    expect(await order("-size")).toEqual(bySize.toReversed());
  });

  it("have the size of their file from the moment of their publication", async () => {
    const other = await anApp();
    const id = other.environmentIds[0] as string;
    const { size } = await aRelease(admin, { identifier: other.identifier, environmentId: id });
    const { body } = await send(getTestingDeploys, admin, { environmentId: id, sort: "-size" });
    expect(body.items).toMatchObject([{ size }]);
    expect(Number((await db.release.findFirstOrThrow({ where: { environmentId: id } })).size)).toBe(size);
  });

  it("refuse a cursor with an invented size", async () => {
    const cursor = btoa(encodeURIComponent(JSON.stringify(["size", "1; DROP", newId()])));
    expect((await send(getTestingDeploys, admin, { environmentId, sort: "size", cursor })).status).toBe(422);
  });

  it("are read from an index, however many there are", async () => {
    const { fileId, platformId } = await db.release.findFirstOrThrow({ where: { environmentId } });
    const add = (count: number) =>
      databasePool().query(
        `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
           "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate", "updatedAt")
         SELECT gen_random_uuid(), $1, $2, $3, '3.' || n, n::text, 'com.acme.app', 'App', 'Changes', true,
           '{"kind":"ipa"}', '{}', now(), now() FROM generate_series(1, $4::int) n`,
        [environmentId, platformId, fileId, count],
      );
    const cost = async () => {
      await databasePool().query('VACUUM (ANALYZE) "Release"');
      const read = (sort: string) => blocksRead(() => send(getTestingDeploys, admin, { environmentId, sort }));
      return [await read("-version"), await read("-size")] as const;
    };
    await add(1_000);
    const few = await cost();
    await add(9_000);
    const many = await cost();
    // A page of the index reads up to 100 blocks, by where its rows lie; a plan without it reads more than 350.
    for (const [index, blocks] of many.entries()) expect(blocks).toBeLessThan(3 * (few[index] as number));
  }, 60_000);
});
