import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { anApp } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { environmentTarget, findEnvironmentByNames } from "./data";

setUpTestDatabase();

type Made = Awaited<ReturnType<typeof anApp>>;
let app: Made;

beforeAll(async () => {
  app = await anApp({
    identifier: "com.acme.my_app",
    environments: [{ name: "QA_1" }, { name: "QAx1" }, { name: "Off", status: "inactive" }],
  });
  await anApp({ identifier: "com.acme.myXapp", environments: [{ name: "QA_1" }, { name: "Elsewhere" }] });
});

describe("an environment by its app's identifier and its own name", () => {
  it("is found ignoring case", async () => {
    const found = await findEnvironmentByNames(db, "COM.Acme.My_App", "qa_1");
    expect(found?.id).toBe(app.environmentIds[0]);
    expect(found?.app.id).toBe(app.appId);
  });

  it("is not found by a pattern", async () => {
    expect((await findEnvironmentByNames(db, "com.acme.my_app", "qax1"))?.id).toBe(app.environmentIds[1]);
    expect(await findEnvironmentByNames(db, "com.acme.my_app", "QA%")).toBeNull();
    expect(await findEnvironmentByNames(db, "com.acme.%", "Off")).toBeNull();
    expect(await findEnvironmentByNames(db, "com.acme.my_app", "Elsewhere")).toBeNull();
  });
});

describe("an environment as a target", () => {
  it("is active if both it and its app are", async () => {
    const appOff = await anApp({ status: "inactive" });
    const activeOf = async (id: string | undefined) => (await environmentTarget(db, id as string))?.active;
    expect(await activeOf(app.environmentIds[0])).toBe(true);
    expect(await activeOf(app.environmentIds[2])).toBe(false);
    expect(await activeOf(appOff.environmentIds[0])).toBe(false);
  });

  it("contains its rows, and is null if it does not exist", async () => {
    const [id] = app.environmentIds as [string];
    expect(await environmentTarget(db, id)).toMatchObject({
      appId: app.appId,
      environmentId: id,
      environment: { id, name: "QA_1" },
      app: { id: app.appId, identifier: "com.acme.my_app" },
    });
    expect(await environmentTarget(db, app.appId)).toBeNull();
  });
});
