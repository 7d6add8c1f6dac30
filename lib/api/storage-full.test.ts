import { beforeAll, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { createRole } from "@/lib/features/roles/operations/create-role";
import { validateTwoFactor } from "@/lib/features/two-factor/operations/validate-two-factor";
import { abortUpload } from "@/lib/features/uploads/operations/abort-upload";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { log } from "@/lib/kernel/log";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { fillDisk, makeRoom } from "@/lib/testing/full-disk";
import { anIpa, anUpload, publish } from "@/lib/testing/releases";
import { withTwoFactor, wrongCode } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

let admin: TestUser;
let place: Awaited<ReturnType<typeof anApp>>;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  place = await anApp();
});

/** The tables that everything below writes to. */
const WRITTEN = ["AuditRecord", "ApiToken"];

it("a failure whose record finds no room is answered and logged as that, as a warning without a stack", async () => {
  const user = await aUser();
  const secret = await withTwoFactor(user);
  const [failed, refused] = [vi.spyOn(log, "error"), vi.spyOn(log, "warn")];
  await fillDisk(WRITTEN);
  const answer = await send(validateTwoFactor, user, { code: wrongCode(secret) });
  expect([answer.status, answer.body.code]).toEqual([507, "storage_full"]);
  expect(failed).not.toHaveBeenCalled();
  const logged = { code: "storage_full", operation: "validate-two-factor", requestId: expect.any(String) };
  const reason = expect.not.stringMatching(/\n +at /);
  expect(refused).toHaveBeenCalledWith({ ...logged, reason }, "an operation failed");
  await makeRoom(WRITTEN);
  failed.mockRestore();
  refused.mockRestore();
});

it("while the database's disk is full, what would be written is answered 507, and works again once there is room", async () => {
  const environmentId = place.environmentIds[0] as string;
  const token = await aToken({ appId: place.appId, environmentId, scopes: ["environment:read"] });
  const { uploadId } = await anUpload(admin, "a.ipa", 10);
  const askAll = async () => [
    await send(createRole, admin, { name: "Testers" }),
    await send(createUpload, admin, { name: "a.ipa", size: 10 }),
    await publish(admin, anIpa(place.identifier), "a.ipa", { environmentId }),
    await send(abortUpload, admin, { uploadId }),
    // A read that notes when the token was last used.
    await send(getEnvironmentApp, token, { id: environmentId }),
  ];
  const files = await db.file.count();
  await fillDisk(WRITTEN);
  for (const { status, body } of await askAll()) {
    expect([status, body.code, body.detail]).toEqual([
      507,
      "storage_full",
      "The server’s storage is full. Nothing was changed. Tell an administrator.",
    ]);
  }
  expect(await db.file.count()).toBe(files);
  await makeRoom(WRITTEN);
  expect((await askAll()).map(({ status }) => status)).toEqual([201, 200, 201, 204, 200]);
});
