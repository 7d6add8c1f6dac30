import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { claimImage } from "@/lib/features/files/data";
import { newId } from "@/lib/kernel/ids";
import { createPlatform as insert, toPlatform } from "../data";
import { createPlatformInput, platformSchema } from "../schema";

/** Adds a platform. */
export const createPlatform = defineCommand({
  area: "config",
  name: "create-platform",
  summary: "Add a platform",
  access: "admin",
  input: createPlatformInput,
  output: platformSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "Platform", action: "create" },
  async handler({ input, tx }) {
    await claimImage(tx, input.logoFileId, "logoFileId");
    const created = await insert(tx, { id: newId(), ...input });
    return { output: toPlatform(created), audit: { recordId: created.id, changes: changesBetween(null, input) } };
  },
});
