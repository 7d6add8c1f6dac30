import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listFeedback, toFeedback } from "../data/feedback";
import { environmentsToRead, placeTarget } from "../internal/places";
import { feedbackOutput, getFeedbackInput } from "../schema";

/** The feedback on a release, or on the releases of an environment or an application, newest first. */
export const getFeedback = defineQuery({
  area: "feedback",
  name: "get-feedback",
  summary: "List the feedback on a release, or on those of an environment or an application",
  access: "release:read",
  forGroups: true,
  input: getFeedbackInput,
  output: feedbackOutput,
  errors: [],
  target: (input, db) => placeTarget(db, input),
  async handler({ input, db, actor, target }) {
    const { rows, ...page } = await listFeedback(db, input, await environmentsToRead(db, actor, target));
    return { items: rows.map((row) => toFeedback(row, actor)), ...page };
  },
});
