import "server-only";
import { requireExpected, requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { claimImage, dropImages } from "@/lib/features/files/data";
import { findApp, toApp, toAppFields, updateApp as write } from "../data";
import { appSchema, updateAppInput } from "../schema";

/** Changes an application. Omitted fields are not changed. */
export const updateApp = defineCommand({
  area: "apps",
  name: "update-app",
  summary: "Change an application",
  access: "admin",
  input: updateAppInput,
  output: appSchema,
  status: 200,
  errors: ["not_found", "conflict"],
  audit: { table: "App", action: "update" },
  async handler({ input, tx, after }) {
    const { id, ifUpdatedAt, expected, ...data } = input;
    await lockRow(tx, "App", id);
    const before = orNotFound(await findApp(tx, id));
    requireUnchanged(before, ifUpdatedAt);
    requireExpected(before, expected);
    if (data.logoFileId) await claimImage(tx, data.logoFileId, "logoFileId");
    const updated = await write(tx, id, data);
    if (updated.logoFileId !== before.logoFileId) after(await dropImages(tx, [before.logoFileId]));
    return {
      output: await toApp(tx, updated, "all"),
      audit: { recordId: id, changes: changesBetween(toAppFields(before), toAppFields(updated)) },
    };
  },
});
