import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, type Caller, send } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createEnvironmentApp } from "./create-environment-app";
import { getAppEnvironments } from "./get-app-environments";
import { getAuthorizedEnvironments } from "./get-authorized-environments";
import { getEnvironmentsAppsByApp } from "./get-environments-apps-by-app";
import { reorderEnvironments } from "./reorder-environments";

setUpTestDatabase();

let admin: Caller;
let appId: string;
let ids: string[];
const NAMES = ["Development", "Production", "QA", "Staging"];

beforeEach(async () => {
  admin = await aUser({ admin: true });
  ({ appId, environmentIds: ids } = await anApp({ environments: NAMES.map((name) => ({ name })) }));
});

const inOrder = (...indexes: number[]) => indexes.map((index) => ids[index] as string);
const reorder = (environmentIds: string[], caller = admin) =>
  send(reorderEnvironments, caller, { appId, environmentIds });
const namesOf = (items: { name: string }[]) => items.map(({ name }) => name);
const listed = async () => namesOf((await send(getAppEnvironments, admin, { appId })).body.items);

describe("reorder-environments", () => {
  it("puts the environments in the given order, which lists follow", async () => {
    const { status, body } = await reorder(inOrder(0, 2, 3, 1));
    expect(status).toBe(200);
    expect(body.items.map(({ name, position }: { name: string; position: number }) => [name, position])).toEqual([
      ["Development", 1],
      ["QA", 2],
      ["Staging", 3],
      ["Production", 4],
    ]);
    const expected = ["Development", "QA", "Staging", "Production"];
    expect(await listed()).toEqual(expected);
    const ofApps = await send(getEnvironmentsAppsByApp, admin, { appIds: [appId] });
    expect(namesOf(ofApps.body.items[0].environments)).toEqual(expected);
    const { pages } = await readPages(getAppEnvironments, admin, { appId, limit: 3 });
    expect(namesOf(pages.flat() as never)).toEqual(expected);
    const backwards = await readPages(getAppEnvironments, admin, { appId, limit: 3, sort: "-position" });
    expect(namesOf(backwards.pages.flat() as never)).toEqual(expected.toReversed());
  });

  it("refuses a new order if the environments are not in the expected one", async () => {
    const expected = inOrder(0, 1, 3);
    const change = { appId, environmentIds: inOrder(3, 1, 0), expected };
    expect((await send(reorderEnvironments, admin, change)).status).toBe(200);
    const { status, body } = await send(reorderEnvironments, admin, change);
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(await listed()).toEqual(["Staging", "Production", "QA", "Development"]);
  });

  it("lists the environments of all applications by application and in the order of each, over all pages", async () => {
    await reorder(inOrder(3, 0, 2, 1));
    const other = await anApp({ environments: [{ name: "z" }, { name: "a" }] });
    const { name } = await db.app.findUniqueOrThrow({ where: { id: appId } });
    await db.app.update({ where: { id: other.appId }, data: { name: `${name} 2` } });
    const { pages } = await readPages(getAuthorizedEnvironments, admin, { limit: 2, search: name });
    const found = (pages.flat() as unknown as { name: string; appId: string }[]).map((row) => [row.appId, row.name]);
    expect(found).toEqual([
      ...["Staging", "Development", "QA", "Production"].map((environment) => [appId, environment]),
      [other.appId, "z"],
      [other.appId, "a"],
    ]);
    const reverse = await readPages(getAuthorizedEnvironments, admin, { limit: 2, search: name, sort: "-position" });
    expect((reverse.pages.flat() as unknown as { name: string }[]).map((row) => row.name)).toEqual(
      found.map(([, environment]) => environment).toReversed(),
    );
  });

  it("exchanges the places of some environments and leaves the others where they are", async () => {
    await reorder(inOrder(3, 1));
    expect(await listed()).toEqual(["Development", "Staging", "QA", "Production"]);
  });

  it("mends places that two environments share", async () => {
    await db.environment.updateMany({ where: { appId }, data: { position: 7 } });
    await reorder(inOrder(3, 2, 1, 0));
    expect(await listed()).toEqual(NAMES.toReversed());
  });

  it("adds a new environment at the end", async () => {
    const { body } = await send(createEnvironmentApp, admin, { appId, name: "Customer" });
    expect(body.position).toBe(5);
    expect(await listed()).toEqual([...NAMES, "Customer"]);
  });

  it("needs the right to change each of the environments", async () => {
    const scopes = ["environment:write" as const];
    const writer = await aUser({
      grants: [
        { scopes, apps: [{ appId, environmentIds: inOrder(0, 1) }] },
        { scopes: ["release:read"], apps: [{ appId, environmentIds: inOrder(2) }] },
      ],
    });
    expect((await reorder(inOrder(1, 2), writer)).status).toBe(403);
    expect((await reorder(inOrder(1, 3), writer)).status).toBe(404);
    expect(await listed()).toEqual(NAMES);
    expect((await reorder(inOrder(1, 0), writer)).status).toBe(200);
    expect(await listed()).toEqual(["Production", "Development", "QA", "Staging"]);
  });

  it("refuses an environment of another application, one that does not exist and one that is named twice", async () => {
    const other = await anApp();
    expect((await reorder([ids[0] as string, other.environmentIds[0] as string])).status).toBe(404);
    expect((await reorder([newId()])).status).toBe(404);
    expect((await reorder(inOrder(0, 0))).body.errors[0].path).toBe("environmentIds");
    expect((await reorder([])).status).toBe(422);
    expect(await listed()).toEqual(NAMES);
  });

  it("ends two changes at the same moment with the order of one of them, each place held once", async () => {
    const orders = [inOrder(3, 2, 1, 0), inOrder(1, 0, 3, 2)];
    const answers = await Promise.all(orders.map((order) => reorder(order)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await db.environment.findMany({ where: { appId }, orderBy: { position: "asc" } });
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(orders).toContainEqual(rows.map(({ id }) => id));
  });

  it("records the names before and after", async () => {
    await reorder(inOrder(0, 2, 3, 1));
    const record = await db.auditRecord.findFirstOrThrow({ where: { recordId: appId }, orderBy: { id: "desc" } });
    expect(record).toMatchObject({
      table: "App",
      action: "reorder-environments",
      changes: { environments: [NAMES, ["Development", "QA", "Staging", "Production"]] },
    });
  });
});
