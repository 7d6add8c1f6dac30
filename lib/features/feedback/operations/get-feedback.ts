import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentsWithin } from "@/lib/features/releases/data/read-places";
import { targetOfPlace } from "@/lib/features/releases/data/targets";
import { listFeedback, toFeedback } from "../data/feedback";
import { feedbackOutput, getFeedbackInput } from "../schema";

/** The feedback on a release, or on the releases of an environment or an application, newest first. */
export const getFeedback = defineQuery({
  area: "feedback",
  name: "get-feedback",
  summary: "List the feedback on a release, or on those of an environment or an application",
  access: "release:read",
  forGroups: true,
  namesPeople: true,
  input: getFeedbackInput,
  output: feedbackOutput,
  errors: [],
  target: (input, db) => targetOfPlace(db, input),
  async handler({ input, db, actor, target }) {
    const environmentIds = await environmentsWithin(db, actor, target, "release:read");
    const { rows, ...page } = await listFeedback(db, input, environmentIds);
    return { items: rows.map((row) => toFeedback(row, actor)), ...page };
  },
});
