import { expect, it } from "vitest";
import { aUser, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { dismissTour } from "./dismiss-tour";
import { getUserProfile } from "./get-user-profile";

setUpTestDatabase();

it("keeps with the user that the tour is not shown again, in every session, and with nobody else", async () => {
  const [one, other] = [await aUser({ admin: true }), await aUser({ admin: true })];
  const isDismissed = async (user: typeof one) => (await send(getUserProfile, user, {})).body.tourDismissed;
  expect([await isDismissed(one), await isDismissed(other)]).toEqual([false, false]);
  for (const _ of ["once", "again"]) {
    const { status, body } = await send(dismissTour, one, {});
    expect([status, body]).toEqual([200, { tourDismissed: true }]);
  }
  expect([await isDismissed(one), await isDismissed(other)]).toEqual([true, false]);
});
