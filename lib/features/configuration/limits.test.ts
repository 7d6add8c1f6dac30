import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { deleteDevelopmentVariable } from "@/lib/features/variables/operations/delete-development-variable";
import { importVariables } from "@/lib/features/variables/operations/import-variables";
import { updateDevelopmentVariable } from "@/lib/features/variables/operations/update-development-variable";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { aVariable } from "@/lib/testing/variables";
import messages from "@/messages/en.json";
import { setUpTestDatabase } from "@/scripts/test-database";
import { restoreConfiguration } from "./operations/restore-configuration";

process.env.MAX_CONFIGURATION_ENTRIES = "3";
process.env.MAX_CONFIGURATION_BYTES = "4000";
process.env.MAX_CONFIGURATION_HISTORY_BYTES = "20000";

setUpTestDatabase();

let admin: TestUser;
let environmentId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  await withTwoFactor(admin, { passed: true });
});

async function aPlace(): Promise<void> {
  environmentId = (await anApp()).environmentIds[0] as string;
}

const importText = (text: string, kind = "dev-variable") =>
  send(importVariables, admin, { environmentId, kind, format: "dotenv", text, mode: "merge" });

const stored = async () => {
  const { configurationVersion, configurationHistoryBytes } = await db.environment.findUniqueOrThrow({
    where: { id: environmentId },
  });
  return { configurationVersion, configurationHistoryBytes };
};

const refused = (detail: string, limit: string) => ({
  status: 409,
  body: { code: "conflict", detail: detail.replace("{limit, number}", limit) },
});

describe("the configuration of an environment", () => {
  it("has at most as many entries of all kinds as the setting says, and a refused change changes nothing", async () => {
    await aPlace();
    await importText("A=1\nB=1");
    const one = await aVariable("secure-variable", admin, { environmentId });
    const before = await stored();
    expect(await importText("C=1")).toMatchObject(refused(messages.errors.conflict.detailEntries, "3"));
    expect(await importText("C=1", "secure-variable")).toMatchObject({ status: 409 });
    expect(await stored()).toEqual(before);
    expect((await importText("A=2")).status).toBe(200);
    expect(one.version).toBe(2);
  });

  it("has values of at most as many bytes together as the setting says", async () => {
    await aPlace();
    expect((await importText(`A=${"x".repeat(4_000)}`)).status).toBe(200);
    expect(await importText(`A=2\nB=3\nC=${"x".repeat(4_000)}`)).toMatchObject(
      refused(messages.errors.conflict.detailBytes, "4,000"),
    );
    // Sealing adds bytes.
    expect(await importText(`A=\nS=${"x".repeat(3_950)}`, "secure-variable")).toMatchObject({ status: 409 });
  });

  it("keeps a history of at most as many bytes as the setting says, however it is changed, and allows deletions", async () => {
    await aPlace();
    const { id } = await aVariable("dev-variable", admin, { environmentId, key: "KEPT" });
    const statuses: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      statuses.push((await importText(`A=${index}${"x".repeat(3_000)}`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 409, 409, 409, 409, 409]);
    expect((await stored()).configurationHistoryBytes).toBeLessThanOrEqual(20_000n);
    const answer = await importText(`A=${"y".repeat(3_900)}`);
    expect(answer).toMatchObject(refused(messages.errors.conflict.detailHistory, "20,000"));
    const update = await send(updateDevelopmentVariable, admin, { id, value: "x".repeat(800) });
    expect(update.status).toBe(409);
    const restored = await send(restoreConfiguration, admin, { environmentId, version: 3 });
    expect(restored.status).toBe(409);
    expect((await send(deleteDevelopmentVariable, admin, { id })).status).toBe(204);
  });

  it("counts the bytes of its history, with secrets, and forgets them with its rows", async () => {
    await aPlace();
    await importText(`A=${"x".repeat(1_000)}`);
    const plain = (await stored()).configurationHistoryBytes;
    expect(plain).toBe(1_600n);
    await importText(`S=${"x".repeat(1_000)}`, "secure-variable");
    // A version, a change, and a secret, to which sealing adds 97 bytes.
    expect((await stored()).configurationHistoryBytes).toBe(plain + 200n + 400n + 300n + 1_097n);
    await db.configurationVersion.deleteMany({ where: { environmentId } });
    await db.configurationSecret.deleteMany({ where: { environmentId } });
    expect((await stored()).configurationHistoryBytes).toBe(0n);
  });
});
