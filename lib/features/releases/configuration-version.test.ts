import { beforeAll, expect, it } from "vitest";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { anIpa, publish } from "@/lib/testing/releases";
import { aVariable } from "@/lib/testing/variables";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getTestingDeployById } from "./operations/get-testing-deploy-by-id";

setUpTestDatabase();

let admin: TestUser;
let place: { identifier: string; environmentId: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  const { identifier, environmentIds } = await anApp();
  place = { identifier, environmentId: environmentIds[0] as string };
});

/** Publishes a release of new bytes. */
function release(fields: Record<string, string> = {}) {
  const { identifier, environmentId } = place;
  return publish(admin, anIpa(identifier), "App.ipa", { environmentId, ...fields });
}

it("a release has no configuration version where its environment has none", async () => {
  expect((await release()).body.configurationVersion).toBeNull();
  const refused = await release({ configurationVersion: "1" });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [expect.objectContaining({ path: "configurationVersion", code: "unknown" })],
  ]);
});

it("a release has the current configuration version, or the one that it names, and keeps it", async () => {
  const { environmentId } = place;
  for (let version = 1; version <= 3; version++) await aVariable("dev-variable", admin, { environmentId });
  const current = await release();
  const named = await release({ configurationVersion: "2" });
  expect([current.body.configurationVersion, named.body.configurationVersion]).toEqual([3, 2]);
  expect((await release({ configurationVersion: "" })).body.configurationVersion).toBe(3);
  await aVariable("dev-variable", admin, { environmentId });
  const later = await send(getTestingDeployById, admin, { id: current.body.id });
  expect(later.body.configurationVersion).toBe(3);
});

it.each(["5", "0", "-1", "1.5", "latest", "99999999999"])(
  "a release is refused with the version %s",
  async (version) => {
    const answer = await release({ configurationVersion: version });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "configurationVersion"]);
  },
);
