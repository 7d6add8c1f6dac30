import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { auditedText } from "@/lib/audit/texts";
import { changesBetween } from "@/lib/audit/write";
import { auditedFeedback, feedbackTarget, lockFeedback, toFeedback, updateFeedback as write } from "../data/feedback";
import { feedbackSchema, updateFeedbackInput } from "../schema";

/** Marks feedback as done or as open, or changes the note of the team about it. What somebody wrote is not changed. */
export const updateFeedback = defineCommand({
  area: "feedback",
  name: "update-feedback",
  summary: "Mark feedback as done or open, or change the note about it",
  access: "release:update",
  input: updateFeedbackInput,
  output: feedbackSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "Feedback", action: "update" },
  target: ({ id }, db) => feedbackTarget(db, id),
  async handler({ input: { id, ifUpdatedAt, note, ...data }, actor, tx }) {
    const before = await lockFeedback(tx, id);
    requireUnchanged(before, ifUpdatedAt);
    const after = await write(tx, id, { ...data, ...(note !== undefined && { note: note || null }) });
    const changes = changesBetween(
      { ...auditedFeedback(before), note: before.note && auditedText(before.note) },
      { ...auditedFeedback(after), note: after.note && auditedText(after.note) },
    );
    return { output: toFeedback(after, actor), audit: { recordId: id, changes } };
  },
});
