import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { creatorColumns, releaseTarget } from "@/lib/features/releases/data/releases";
import { actorId } from "@/lib/permissions/actor";
import { addFeedback, drawScreenshot } from "../data/creation";
import { toFeedback } from "../data/feedback";
import { createFeedbackInput, feedbackSchema, feedbackTargetSchema, MAX_SCREENSHOT_BYTES } from "../schema";

/** Takes feedback on a release from somebody who may read it: a text, and optionally a rating and a picture. */
export const createFeedback = defineCommand({
  area: "feedback",
  name: "create-feedback",
  summary: "Give feedback on a release; in a form, put the fields before the picture",
  access: "release:read",
  forGroups: true,
  input: createFeedbackInput,
  output: feedbackSchema,
  status: 201,
  errors: ["conflict", "file_too_large", "unsupported_media_type"],
  rateLimit: { points: 60, seconds: 3_600, by: "actor" },
  audit: { table: "Feedback", action: "create" },
  file: {
    field: "screenshot",
    purpose: "screenshot",
    maxBytes: () => MAX_SCREENSHOT_BYTES,
    targetFields: feedbackTargetSchema,
  },
  target: ({ releaseId }, db) => releaseTarget(db, releaseId),
  async prepare({ input: { screenshot: upload }, actor, request: { signal }, stored }) {
    const screenshot = await drawScreenshot(upload, { id: actorId(actor), signal });
    if (screenshot) stored(screenshot);
    return screenshot;
  },
  async handler({ input, actor, tx, prepared: screenshot, request }) {
    const author = creatorColumns(actor);
    const { row, changes, events } = await addFeedback(tx, input, {
      releaseId: input.releaseId,
      author,
      screenshot,
      request,
    });
    return { output: toFeedback(row, actor), audit: { recordId: row.id, changes }, events };
  },
});
