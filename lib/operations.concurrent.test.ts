import { beforeAll, describe, expect, it } from "vitest";
import type { Command } from "@/lib/api/operation";
import { type Db, db } from "@/lib/db/client";
import { recordDownloads } from "@/lib/features/releases/data/downloads";
import { newId } from "@/lib/kernel/ids";
import { changedFields } from "@/lib/testing/audit";
import { type Answer, anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { afterFirstQuery, beforeHandler } from "@/lib/testing/overtake";
import { aPicture } from "@/lib/testing/pictures";
import { anIpa, aRelease, releaseForm } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";

// Commands that read a row and write it, while another change of the same row commits in between.

setUpTestDatabase();

let admin: TestUser;

beforeAll(async () => {
  admin = await aUser({ admin: true });
});

/** Sends a command while a transaction that changes its row is open, and lets that commit once the command waits. */
async function sendDuring(command: Command, input: object, change: (tx: Db) => Promise<unknown>): Promise<Answer> {
  const { answer } = await db.$transaction(async (tx) => {
    await change(tx);
    const answer = send(command, admin, input as Record<string, unknown>);
    answer.catch(() => {});
    await untilWaitingForLocks(1);
    return { answer };
  }, LONG_TRANSACTION);
  return answer;
}

async function lastChanges(recordId: string): Promise<unknown> {
  const record = await db.auditRecord.findFirst({ where: { recordId }, orderBy: { id: "desc" } });
  return record && changedFields(record);
}

describe("an image that is replaced at the same moment by two", () => {
  const kinds: [
    string,
    () => Promise<{
      command: Command;
      id: string;
      field: string;
      data: object;
      row: (tx: Db, fileId: string) => Promise<unknown>;
    }>,
  ][] = [
    [
      "an application's logo",
      async () => {
        const { appId } = await anApp();
        const row = (tx: Db, logoFileId: string) => tx.app.update({ where: { id: appId }, data: { logoFileId } });
        return { command: operations["apps/update-app"], id: appId, field: "logoFileId", data: { id: appId }, row };
      },
    ],
    [
      "a platform's logo",
      async () => {
        const { id } = await db.platform.create({ data: { id: newId(), name: `Platform ${newId()}`, kind: "other" } });
        const row = (tx: Db, logoFileId: string) => tx.platform.update({ where: { id }, data: { logoFileId } });
        return { command: operations["config/update-platform"], id, field: "logoFileId", data: { id }, row };
      },
    ],
    [
      "the console's logo",
      async () => {
        const row = (tx: Db, logoFileId: string) => tx.appConfig.update({ where: { id: 1 }, data: { logoFileId } });
        return {
          command: operations["config/update-app-config"],
          id: "1",
          field: "logoFileId",
          data: { name: "Slipway", description: "" },
          row,
        };
      },
    ],
    [
      "a user's picture",
      async () => {
        const names = { firstNames: "Ada", lastNames: "Lovelace" };
        const row = (tx: Db, avatarFileId: string) =>
          tx.user.update({ where: { id: admin.userId }, data: { avatarFileId } });
        const command = operations["auth/update-user-profile"];
        return { command, id: admin.userId, field: "avatarFileId", data: names, row };
      },
    ],
  ];

  it.each(kinds)("leaves no file behind: %s", async (_what, make) => {
    const { command, field, data, row } = await make();
    const [first, second] = [await aPicture(admin), await aPicture(admin)];
    const answer = await sendDuring(command, { ...data, [field]: second }, async (tx) => {
      await tx.file.update({ where: { id: first }, data: { state: "ready" } });
      await row(tx, first);
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await expect.poll(() => db.file.count({ where: { id: first, state: "ready" } })).toBe(0);
    expect(await db.file.count({ where: { id: second, state: "ready" } })).toBe(1);
  });
});

describe("the audit record of a change that comes just after another", () => {
  it("tells what a user's names were, and neither repeats nor undoes what the other did", async () => {
    const user = await aUser();
    const role = await db.role.create({ data: { id: newId(), name: `role ${newId()}` } });
    const { status } = await sendDuring(operations["auth/update-user"], { id: user.userId, team: "Web" }, (tx) =>
      tx.user.update({ where: { id: user.userId }, data: { roleId: role.id } }),
    );
    expect([status, await lastChanges(user.userId)]).toEqual([200, { team: [null, "Web"] }]);
    expect(await db.session.count({ where: { userId: user.userId } })).toBe(1);
  });

  it("tells what a role's name was", async () => {
    const { id } = await db.role.create({ data: { id: newId(), name: `role ${newId()}` } });
    const [between, after] = [`role ${newId()}`, `role ${newId()}`];
    await sendDuring(operations["config/update-role"], { id, name: after }, (tx) =>
      tx.role.update({ where: { id }, data: { name: between } }),
    );
    expect(await lastChanges(id)).toEqual({ name: [between, after] });
  });

  it("tells what an environment was", async () => {
    const { environmentIds } = await anApp();
    const [id = ""] = environmentIds;
    beforeHandler(operations["apps/update-environment-app"], () =>
      db.environment.update({ where: { id }, data: { name: "Between" } }),
    );
    await send(operations["apps/update-environment-app"], admin, { id, name: "After" });
    expect(await lastChanges(id)).toEqual({ name: ["Between", "After"] });
  });

  it("tells what a release was when it was changed, and when it was deleted", async () => {
    const { identifier, environmentIds } = await anApp();
    const { id } = await aRelease(admin, { identifier, environmentId: environmentIds[0] as string });
    const change = (description: string) => () => db.release.update({ where: { id }, data: { description } });
    beforeHandler(operations["apps/update-testing-deploy"], change("Between"));
    await send(operations["apps/update-testing-deploy"], admin, { id, description: "After" });
    expect(await lastChanges(id)).toEqual({ description: ["Between", "After"] });
    beforeHandler(operations["apps/delete-testing-deploy"], change("At the end"));
    await send(operations["apps/delete-testing-deploy"], admin, { id });
    expect(await lastChanges(id)).toMatchObject({ description: ["At the end", null] });
  });
});

describe("a release is not published", () => {
  const publish = async (event: (place: { appId: string; environmentId: string }) => Promise<unknown>) => {
    const { appId, identifier, environmentIds } = await anApp();
    const [environmentId = ""] = environmentIds;
    beforeHandler(operations["apps/create-testing-deploy"], () => event({ appId, environmentId }));
    const form = releaseForm(anIpa(identifier), "Example.ipa", { environmentId });
    const { status, body } = await send(operations["apps/create-testing-deploy"], admin, form);
    expect(await db.release.count({ where: { environmentId } })).toBe(0);
    return [status, body.code];
  };
  const inactive = { status: "inactive" } as const;

  it("in an environment or an application that was switched off while the installer was read", async () => {
    const environment = await publish(({ environmentId: id }) =>
      db.environment.update({ where: { id }, data: inactive }),
    );
    const app = await publish(({ appId: id }) => db.app.update({ where: { id }, data: inactive }));
    expect([environment, app]).toEqual([
      [409, "conflict"],
      [409, "conflict"],
    ]);
  });

  it("in an application whose identifier was changed while the installer was read", async () => {
    const identifier = `com.example.a${newId().replaceAll("-", "")}`;
    const answer = await publish(({ appId: id }) => db.app.update({ where: { id }, data: { identifier } }));
    expect(answer).toEqual([422, "identifier_mismatch"]);
  });

  it("for a platform that was switched off while the installer was read", async () => {
    const where = { name: "iOS" };
    const answer = await publish(() => db.platform.updateMany({ where, data: inactive }));
    await db.platform.updateMany({ where, data: { status: "active" } });
    expect(answer).toEqual([422, "validation_failed"]);
  });
});

it("a download of a release that is deleted at the same moment is counted with it or not at all", async () => {
  const { identifier, environmentIds } = await anApp();
  const { id } = await aRelease(admin, { identifier, environmentId: environmentIds[0] as string });
  const database = afterFirstQuery(() => db.release.delete({ where: { id } }));
  const download = { releaseId: id, userId: admin.userId, byLink: false, userAgent: null, at: new Date() };
  await recordDownloads(database, [{ ...download, kind: "download" }]);
  await recordDownloads(db, [{ ...download, kind: "download" }]);
  expect(await db.releaseDownload.count({ where: { releaseId: id } })).toBe(0);
});
