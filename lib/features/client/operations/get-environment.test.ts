import { beforeAll, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { anApp, aToken, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getClientEnvironment } from "./get-environment";

setUpTestDatabase();

beforeAll(ensureServerKeys);

it("names the place of a token with any scope", async () => {
  const app = await anApp({ environments: [{ name: "Staging" }] });
  const environmentId = app.environmentIds[0] as string;
  const token = await aToken({ appId: app.appId, environmentId, scopes: ["dev-variable:write"] });
  const row = await db.apiToken.findUniqueOrThrow({ where: { id: token.tokenId } });
  expect((await send(getClientEnvironment, token, {})).body).toEqual({
    app: { id: app.appId, name: app.name, identifier: app.identifier },
    environment: { id: environmentId, name: "Staging" },
    scopes: ["dev-variable:read", "dev-variable:write"],
    validUntil: row.validUntil.toISOString(),
  });
});
