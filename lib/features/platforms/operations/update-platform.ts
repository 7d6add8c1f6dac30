import "server-only";
import { requireExpected, requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { claimImage, dropImages } from "@/lib/features/files/data";
import { findPlatform, toPlatform, updatePlatform as write } from "../data";
import { platformSchema, updatePlatformInput } from "../schema";

/** Changes a platform. */
export const updatePlatform = defineCommand({
  area: "config",
  name: "update-platform",
  summary: "Change a platform",
  access: "admin",
  input: updatePlatformInput,
  output: platformSchema,
  status: 200,
  errors: ["not_found", "conflict"],
  audit: { table: "Platform", action: "update" },
  async handler({ input, tx, after }) {
    const { id, ifUpdatedAt, expected, ...data } = input;
    await lockRow(tx, "Platform", id);
    const before = orNotFound(await findPlatform(tx, id));
    requireUnchanged(before, ifUpdatedAt);
    requireExpected(before, expected);
    if (data.logoFileId) await claimImage(tx, data.logoFileId, "logoFileId");
    const updated = await write(tx, id, data);
    if (updated.logoFileId !== before.logoFileId) after(await dropImages(tx, [before.logoFileId]));
    return {
      output: toPlatform(updated),
      audit: { recordId: id, changes: changesBetween(toPlatform(before), toPlatform(updated)) },
    };
  },
});
