import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { aPicture } from "@/lib/testing/pictures";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getApp } from "./get-app";
import { getApps } from "./get-apps";
import { getAuthorizedApps } from "./get-authorized-apps";
import { updateApp } from "./update-app";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

/** Publishes an installer in an environment. @returns the ID of the release and of its icon, if it has one */
async function publishWith(environmentId: string, day: number, icon: "icon" | "no icon") {
  const platform = await db.platform.findFirstOrThrow({ where: { kind: "ios" } });
  const file = { name: "a", contentType: "image/png", size: 1n, sha256: "0".repeat(64), state: "ready" as const };
  const [id, fileId, iconFileId] = [newId(), newId(), icon === "icon" ? newId() : null];
  await db.file.create({ data: { ...file, id: fileId, storageKey: fileId, purpose: "installer" } });
  if (iconFileId) await db.file.create({ data: { ...file, id: iconFileId, storageKey: iconFileId, purpose: "image" } });
  await db.release.create({
    data: {
      id,
      environmentId,
      platformId: platform.id,
      fileId,
      iconFileId,
      version: "1.0",
      buildNumber: "1",
      identifier: "com.acme.app",
      displayName: "App",
      description: "First",
      iosEnabled: false,
      installer: {},
      metadata: {},
      deployDate: new Date(Date.UTC(2026, 10, day)),
    },
  });
  return { id, iconUrl: iconFileId && fileUrl(iconFileId) };
}

const pictureOf = async (appId: string, caller = admin) => {
  const answers = await Promise.all([
    send(getApp, caller, { id: appId }),
    send(caller === admin ? getApps : getAuthorizedApps, caller, { limit: 100 }),
  ]);
  const listed = answers[1].body.items.find((app: { id: string }) => app.id === appId);
  expect(listed.iconUrl).toBe(answers[0].body.iconUrl);
  return listed.iconUrl;
};

describe("the picture of an application", () => {
  it("is the icon of its newest installer that has one, over all environments", async () => {
    const { appId, environmentIds } = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [one, two] = environmentIds as [string, string];
    expect(await pictureOf(appId)).toBeNull();
    const first = await publishWith(one, 1, "icon");
    expect(await pictureOf(appId)).toBe(first.iconUrl);
    const second = await publishWith(two, 3, "icon");
    await publishWith(one, 2, "icon");
    await publishWith(one, 4, "no icon");
    expect(await pictureOf(appId)).toBe(second.iconUrl);
    await db.release.delete({ where: { id: second.id } });
    expect(await pictureOf(appId)).not.toBe(second.iconUrl);
  });

  it("is its own logo where it has one", async () => {
    const { appId, environmentIds } = await anApp();
    const { iconUrl } = await publishWith(environmentIds[0] as string, 1, "icon");
    const logoFileId = await aPicture(admin);
    const changed = await send(updateApp, admin, { id: appId, logoFileId });
    expect(changed.body).toMatchObject({ logoUrl: fileUrl(logoFileId), iconUrl: fileUrl(logoFileId) });
    expect(await pictureOf(appId)).toBe(fileUrl(logoFileId));
    const removed = await send(updateApp, admin, { id: appId, logoFileId: null });
    expect(removed.body).toMatchObject({ logoUrl: null, iconUrl });
  });

  it("is never an icon of an environment that the caller does not reach", async () => {
    const { appId, environmentIds } = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [one, two] = environmentIds as [string, string];
    const tester = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId, environmentIds: [one] }] }] });
    const own = await publishWith(one, 1, "icon");
    await publishWith(two, 2, "icon");
    expect(await pictureOf(appId, tester)).toBe(own.iconUrl);
  });
});
