import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { claimImage } from "@/lib/features/files/data";
import { newId } from "@/lib/kernel/ids";
import { insertApp, toApp } from "../data";
import { appSchema, createAppInput } from "../schema";

/** Adds an application. Its identifier must be unique, ignoring case. */
export const createApp = defineCommand({
  area: "apps",
  name: "create-app",
  summary: "Add an application",
  access: "admin",
  input: createAppInput,
  output: appSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "App", action: "create" },
  async handler({ input, tx }) {
    if (input.logoFileId) await claimImage(tx, input.logoFileId, "logoFileId");
    const created = await insertApp(tx, { id: newId(), ...input });
    return {
      output: await toApp(tx, created, "all"),
      audit: { recordId: created.id, changes: changesBetween(null, input) },
    };
  },
});
