import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getRolePermissions } from "@/lib/features/permissions/operations/get-role-permissions";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getRoles } from "@/lib/features/roles/operations/get-roles";
import { getUsers } from "@/lib/features/users/operations/get-users";
import type { RequestFacts } from "@/lib/http/request-facts";
import { FairQueue } from "@/lib/kernel/fair-queue";
import { newId } from "@/lib/kernel/ids";
import { Turn, withTurn } from "@/lib/kernel/turns";
import { aUser, send, sendRaw } from "@/lib/testing/console";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { csvCell, csvOf } from "./csv";

setUpTestDatabase();

describe("the files of one caller", () => {
  it("are read in turns of the caller, also after their calls", async () => {
    const queue = new FairQueue({ running: 9, runningPerCaller: 1, waiting: 9, waitingPerCaller: 9 });
    const seen: number[] = [];
    const { reply } = csvOf({
      fileName: "rows",
      columns: { id: ({ id }: { id: string }) => id },
      async list() {
        await new Promise(setImmediate);
        seen.push(queue.running);
        return { items: [{ id: "1" }], nextCursor: null };
      },
    });
    const request = { now: new Date(), method: "GET" } as RequestFacts;
    const files = await Promise.all(
      [1, 2, 3].map(async () => {
        const turn = new Turn(queue, "a");
        await turn.begin();
        const file = await withTurn(turn, async () => reply({ input: { format: "csv", limit: 25 }, db, request }));
        turn.end();
        return file?.body as NodeJS.ReadableStream;
      }),
    );
    const texts = await Promise.all(files.map(text));
    expect(new Set(texts)).toEqual(new Set(['id\r\n"1"\r\n']));
    expect(seen).toEqual([1, 1, 1]);
  });
});

describe("a cell", () => {
  it.each([
    ["text", "Ada", '"Ada"'],
    ["quotes and line breaks", 'a "b"\r\nc', '"a ""b""\r\nc"'],
    ["a list", ["a", "b"], '"a, b"'],
    ["nothing", null, ""],
    ["a negative number", -3, "-3"],
    ["a truth value", true, "true"],
  ])("contains %s", (_what, value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x"])(
    "is no formula: %j",
    (text) => {
      expect(csvCell(text)).toBe(`"'${text}"`);
      expect(csvCell([text])).toBe(`"'${text}"`);
    },
  );
});

describe("a list as CSV", () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld();
    const roleId = newId();
    await db.role.create({ data: { id: roleId, name: "=Testers" } });
    for (let index = 0; index < 130; index++) {
      const { userId } = await aUser();
      await db.user.update({
        where: { id: userId },
        data: { roleId, team: index % 2 === 0 ? "Compilers" : "Kernels" },
      });
    }
  });

  it("has all rows that match the filters in the order of the list, on all pages", async () => {
    const answer = await sendRaw(getUsers, world.admin, { search: "Kernels", sort: "-email", format: "csv", limit: 1 });
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 3).toString("hex"), "the byte order mark of UTF-8").toBe("efbbbf");
    const [header, ...lines] = bytes.toString("utf8", 3).trimEnd().split("\r\n");
    expect(header).toBe(
      "id,firstNames,lastNames,email,team,role,provider,status,twoFactorEnabled,createdAt,lastSignInAt",
    );
    expect(lines).toHaveLength(65);
    const { body } = await send(getUsers, world.admin, { search: "Kernels", sort: "-email", limit: 100 });
    expect(lines.map((line) => line.split('"')[1])).toEqual(body.items.map(({ id }: { id: string }) => id));
    expect(lines[0]).toContain(`"'=Testers"`);
  });

  it.each([
    [getRoles, "id,name,superAdmin,userCount,permissionCount,createdAt"],
    [getPlatforms, "id,name,kind,status,createdAt"],
  ])("has the columns and filters of its list: %#", async (operation, columns) => {
    const answer = await sendRaw(operation, world.admin, { search: "s", sort: "-name", format: "csv" });
    const [header, ...lines] = (await answer.text()).trimEnd().split("\r\n");
    expect(header).toBe(columns);
    const { body } = await send(operation, world.admin, { search: "s", sort: "-name", limit: 100 });
    expect(lines.map((line) => line.split('"')[1])).toEqual(body.items.map(({ id }: { id: string }) => id));
    expect(lines.length).toBeGreaterThan(0);
  });

  it("is only a header where nothing matches", async () => {
    const answer = await sendRaw(getRolePermissions, world.admin, { search: "nothing of that name", format: "csv" });
    expect((await answer.text()).split("\r\n")).toEqual(["id,role,scopes,apps,environments,groups,createdAt", ""]);
  });
});
