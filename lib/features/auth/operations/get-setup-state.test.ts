import { describe, expect, it } from "vitest";
import { newSetupLink } from "@/lib/auth/setup";
import { db } from "@/lib/db/client";
import { ANONYMOUS, aUser, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getSetupState } from "./get-setup-state";

setUpTestDatabase();

async function printedToken(now = new Date()): Promise<string> {
  return new URL(await newSetupLink(db, now)).searchParams.get("token") as string;
}

async function state(input: { token?: string }) {
  return (await send(getSetupState, ANONYMOUS, input)).body;
}

describe("get-setup-state", () => {
  it("knows the setup link that was printed last, and leaves it usable", async () => {
    const token = await printedToken();
    expect(await state({ token })).toEqual({ needed: true, linkValid: true });
    expect(await state({ token })).toEqual({ needed: true, linkValid: true });
  });

  it("says that a link is not valid: none, another, an earlier one, one older than a day", async () => {
    const earlier = await printedToken();
    await printedToken();
    for (const token of [undefined, "", "wrong", earlier]) {
      expect(await state({ token })).toEqual({ needed: true, linkValid: false });
    }
    const old = await printedToken(new Date(Date.now() - 25 * 3_600_000));
    expect(await state({ token: old })).toEqual({ needed: true, linkValid: false });
  });

  it("says no more than that nothing is needed once there is an administrator", async () => {
    const token = await printedToken();
    await aUser({ admin: true });
    expect(await state({ token })).toEqual({ needed: false, linkValid: false });
  });
});
