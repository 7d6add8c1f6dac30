import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { findUser, updateUser } from "../data";

/** Keeps the guided tour from starting by itself for the signed-in user. It can still be started from the help menu. */
export const dismissTour = defineCommand({
  area: "auth",
  name: "dismiss-tour",
  summary: "Do not show the guided tour to the caller again",
  access: "user",
  input: z.strictObject({}),
  output: z.object({ tourDismissed: z.literal(true) }),
  status: 200,
  errors: [],
  audit: { table: "User", action: "dismiss-tour" },
  async handler({ actor, tx, request }) {
    await lockRow(tx, "User", actor.userId);
    const before = orNotFound(await findUser(tx, actor.userId));
    const after = await updateUser(tx, actor.userId, { tourDismissedAt: before.tourDismissedAt ?? request.now });
    const dismissal = ({ tourDismissedAt }: typeof before) => ({ tourDismissedAt });
    return {
      output: { tourDismissed: true as const },
      audit: { recordId: actor.userId, changes: changesBetween(dismissal(before), dismissal(after)) },
    };
  },
});
