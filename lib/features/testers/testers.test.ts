import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import type { Scope } from "@/lib/permissions/scopes";
import { anApp, aUser, send } from "@/lib/testing/console";
import { aGroupReader, aTesterGroup, membersOf } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { addTesterGroupMembers } from "./operations/add-tester-group-members";
import { createTesterGroup } from "./operations/create-tester-group";
import { importTesterGroupMembers } from "./operations/import-tester-group-members";
import { updateTesterGroup } from "./operations/update-tester-group";
import { readImport } from "./rules";

setUpTestDatabase();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

let number = 0;
const aGroup = (input = {}) =>
  aTesterGroup(world.admin, { appId: world.app.appId, name: `Group ${number++}`, ...input });

describe("the members of a group", () => {
  it("are users, and people without an account, who are pending", async () => {
    const user = await aUser();
    const { id } = await aGroup({ userIds: [user.userId], emails: ["Ada@example.test"] });
    const members = await membersOf(world.admin, id);
    expect(members.map(({ userId, state }) => [userId, state]).sort()).toEqual(
      [
        [user.userId, "confirmed"],
        [null, "pending"],
      ].sort(),
    );
  });

  it("are only users who see the application, for callers who are no administrators, who learn of no others", async () => {
    const grant = (scope: Scope, appId: string) => ({ grants: [{ scopes: [scope], apps: [{ appId }] }] });
    const { appId } = world.app;
    const manager = await aUser(grant("environment:write", appId));
    const { id: groupId } = await aGroup({ environmentIds: [world.environmentId] });
    const reader = await aUser(grant("release:read", appId));
    const others = [await aUser(), await aUser(grant("release:read", (await anApp()).appId))];
    const add = (userId: string) => send(addTesterGroupMembers, manager, { groupId, userIds: [userId] });
    const refusals: object[] = [];
    for (const userId of [newId(), ...others.map((user) => user.userId)]) {
      const { status, body } = await add(userId);
      refusals.push({ status, code: body.code, errors: body.errors });
    }
    expect(refusals).toEqual(refusals.map(() => ({ ...refusals[0], status: 422 })));
    for (const { userId } of [reader, manager, world.admin, await aGroupReader({ appId })]) {
      expect((await add(userId)).body).toEqual({ added: 1, already: 0 });
    }
    expect((await send(addTesterGroupMembers, world.admin, { groupId, userIds: [others[0]?.userId] })).status).toBe(
      200,
    );
  });

  it("are added once, without regard to case", async () => {
    const { id } = await aGroup({ emails: ["one@example.test", "ONE@example.test"] });
    const again = await send(addTesterGroupMembers, world.admin, {
      groupId: id,
      emails: ["One@example.test", "two@example.test"],
    });
    expect(again.body).toEqual({ added: 1, already: 1 });
  });

  it.each(["a@example.test\r\nBcc: b@example.test", "a@example.test\nb@example.test", "a b@example.test", "nobody"])(
    "have one e-mail in one line: %j is refused",
    async (email) => {
      const { id } = await aGroup();
      const answer = await send(addTesterGroupMembers, world.admin, { groupId: id, emails: [email] });
      expect(answer.status).toBe(422);
      expect(await membersOf(world.admin, id)).toEqual([]);
    },
  );
});

describe("the environments of a group", () => {
  it("are all of the application for a caller who may write to all, unless some are named", async () => {
    expect((await aGroup()).environmentIds).toBeNull();
    expect((await aGroup({ environmentIds: [world.environmentId] })).environmentIds).toEqual([world.environmentId]);
  });

  it("are the caller's own for a caller who may not write to all", async () => {
    const answer = await send(createTesterGroup, world.server, { appId: world.app.appId, name: "Of the token" });
    expect(answer.body.environmentIds).toEqual([world.environmentId]);
  });

  it("protect the group: a caller of one environment adds nobody to a group of all", async () => {
    const { id } = await aGroup();
    const added = await send(addTesterGroupMembers, world.server, { groupId: id, emails: ["me@example.test"] });
    expect(added.status).toBe(403);
    const own = await aGroup({ environmentIds: [world.environmentId] });
    const widened = await send(updateTesterGroup, world.server, { id: own.id, environmentIds: null });
    expect(widened.status).toBe(403);
  });
});

it("a name is taken in its application without regard to case", async () => {
  const { name } = await aGroup();
  const answer = await send(createTesterGroup, world.admin, { appId: world.app.appId, name: name.toUpperCase() });
  expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
});

describe("an import", () => {
  it("reads a column by its name, quotes, separators and a byte order mark, and names wrong lines", () => {
    const csv = '\uFEFFName;E-mail\r\n"Ada; ""A""";ada@example.test\r\n\r\nBob;nobody\r\nEve;ADA@example.test\r\n';
    expect(readImport(csv)).toEqual({
      emails: ["ada@example.test"],
      repeated: 1,
      invalid: 1,
      invalidRows: [{ line: 4, text: "nobody" }],
      tooMany: false,
    });
  });

  it("without a header takes the first column", () => {
    expect(readImport("a@example.test,Ada\nb@example.test,Bob").emails).toEqual(["a@example.test", "b@example.test"]);
  });

  it("that is dry adds nobody and says what an import would do", async () => {
    const { id } = await aGroup({ emails: ["known@example.test"] });
    const csv = "email\nknown@example.test\nnew@example.test\nnobody\n";
    const dry = await send(importTesterGroupMembers, world.admin, { groupId: id, csv, dryRun: true });
    expect(dry.body).toMatchObject({ dryRun: true, rows: 2, added: 1, already: 1, invalid: 1 });
    expect(await membersOf(world.admin, id)).toHaveLength(1);
    const real = await send(importTesterGroupMembers, world.admin, { groupId: id, csv });
    expect(real.body).toMatchObject({ dryRun: false, added: 1, already: 1 });
  });

  it("of 10,000 people adds all of them, and nobody the second time", async () => {
    const { id } = await aGroup();
    const csv = `email\n${Array.from({ length: 10_000 }, (_, index) => `tester${index}@example.test`).join("\n")}`;
    const once = await send(importTesterGroupMembers, world.admin, { groupId: id, csv });
    expect(once.body).toMatchObject({ rows: 10_000, added: 10_000, already: 0 });
    const twice = await send(importTesterGroupMembers, world.admin, { groupId: id, csv });
    expect(twice.body).toMatchObject({ rows: 10_000, added: 0, already: 10_000 });
  });

  it("of more people is refused whole", async () => {
    const { id } = await aGroup();
    const csv = Array.from({ length: 50_001 }, (_, index) => `many${index}@example.test`).join("\n");
    const answer = await send(importTesterGroupMembers, world.admin, { groupId: id, csv });
    expect(answer.status).toBe(422);
    expect(await membersOf(world.admin, id)).toEqual([]);
  });
});
