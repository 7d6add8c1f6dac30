import { expect, it } from "vitest";
import { getApps } from "@/lib/features/apps/operations/get-apps";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { createRole } from "@/lib/features/roles/operations/create-role";
import { ANONYMOUS, cookieHeaders, send } from "@/lib/testing/console";

// As in a container network, where the name of a stopped container does not resolve.
process.env.DATABASE_URL = "postgresql://slipway:secret@db.invalid/slipway";

it("while the host name of the database does not resolve, everything is answered 503", async () => {
  const someone = { headers: cookieHeaders("made-up") };
  const answers = await Promise.all([
    send(getAppConfig, ANONYMOUS),
    send(getApps, someone),
    send(createRole, someone, { name: "Testers" }),
  ]);
  for (const { status, body, headers } of answers) {
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "unavailable", "2"]);
    expect(JSON.stringify(body)).not.toMatch(/db\.invalid|secret/);
  }
});
