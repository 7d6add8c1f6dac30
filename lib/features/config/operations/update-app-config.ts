import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { claimImage, dropImages } from "@/lib/features/files/data";
import { readAppConfig, toAppConfig, writeAppConfig } from "../data";
import { appConfigSchema, updateAppConfigInput } from "../schema";

/** Changes the console's name, description and logo. */
export const updateAppConfig = defineCommand({
  area: "config",
  name: "update-app-config",
  summary: "Change the console’s name, description and logo",
  access: "admin",
  input: updateAppConfigInput,
  output: appConfigSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "AppConfig", action: "update" },
  async handler({ input: { ifUpdatedAt, ...input }, tx, after }) {
    await lockRow(tx, "AppConfig", 1);
    const before = await readAppConfig(tx);
    requireUnchanged(before, ifUpdatedAt);
    if (input.logoFileId) await claimImage(tx, input.logoFileId, "logoFileId");
    const updated = await writeAppConfig(tx, input);
    if (updated.logoFileId !== before.logoFileId) after(await dropImages(tx, [before.logoFileId]));
    return { output: toAppConfig(updated), audit: { recordId: "1", changes: changesBetween(before, updated) } };
  },
});
