import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { releaseFiles, removeFile } from "@/lib/storage/files";
import { auditedFeedback, feedbackTarget, lockFeedback, removeFeedback } from "../data/feedback";
import { feedbackIdInput } from "../schema";

/** Deletes feedback, its text and its picture. The audit log never had them. */
export const deleteFeedback = defineCommand({
  area: "feedback",
  name: "delete-feedback",
  summary: "Delete feedback with its picture",
  access: "release:update",
  input: feedbackIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "Feedback", action: "delete" },
  target: ({ id }, db) => feedbackTarget(db, id),
  async handler({ input: { id }, tx, after }) {
    const feedback = await lockFeedback(tx, id);
    await removeFeedback(tx, id);
    const files = await releaseFiles(tx, [feedback.screenshotFileId]);
    after(async () => {
      for (const { fileId, storageKey } of files) await removeFile(fileId, storageKey);
    });
    return { output: undefined, audit: { recordId: id, changes: changesBetween(auditedFeedback(feedback), null) } };
  },
});
