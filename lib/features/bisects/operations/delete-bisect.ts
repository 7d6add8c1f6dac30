import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { auditedBisect, bisectTarget, removeBisect } from "../data";
import { bisectIdInput } from "../schema";

/** Deletes one of the caller's searches. The releases stay. */
export const deleteBisect = defineCommand({
  area: "apps",
  name: "delete-bisect",
  summary: "Delete one of one’s own searches for the build that introduced a bug",
  access: { own: "bisect", anyTarget: "release:read" },
  input: bisectIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "Bisect", action: "delete" },
  target: (input, db) => bisectTarget(db, input.id),
  async handler({ target: { bisect }, tx }) {
    await removeBisect(tx, bisect.id);
    return { output: undefined, audit: { recordId: bisect.id, changes: changesBetween(auditedBisect(bisect), null) } };
  },
});
