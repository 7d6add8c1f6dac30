import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { addFeedback, drawScreenshot } from "@/lib/features/feedback/data/creation";
import { MAX_SCREENSHOT_BYTES } from "@/lib/features/feedback/schema";
import { networkOf } from "@/lib/http/network";
import { consume } from "@/lib/http/rate-limit";
import { idSchema } from "@/lib/kernel/ids-schema";
import { findVisitor, isTester, releaseOfVisitor } from "../data/visitors";
import { testerFeedbackInput, testerFeedbackTarget } from "../schema";

/** Feedback of one tester. */
const PER_TESTER = { points: 100, seconds: 86_400 };

/** Takes feedback from a tester without an account, who has the secret of their page. The team does not see who it is. */
export const createTesterFeedback = defineCommand({
  area: "testers",
  name: "create-tester-feedback",
  summary: "Give feedback on a release as a tester without an account; in a form, put the fields before the picture",
  access: "public",
  input: testerFeedbackInput,
  output: z.object({ id: idSchema }),
  status: 201,
  errors: ["conflict", "file_too_large", "unsupported_media_type"],
  rateLimit: { points: 20, seconds: 3_600, by: "address" },
  audit: { table: "Feedback", action: "create" },
  file: {
    field: "screenshot",
    purpose: "screenshot",
    maxBytes: () => MAX_SCREENSHOT_BYTES,
    targetFields: testerFeedbackTarget,
  },
  async target({ secret, releaseId }) {
    const visitor = await findVisitor(secret);
    if (!visitor || !isTester(visitor)) return null;
    const release = await releaseOfVisitor(visitor, releaseId);
    if (!release) return null;
    const { environment } = release;
    return { appId: environment.app.id, environmentId: environment.id, active: true, testerId: visitor.id };
  },
  missingTarget: async () => ({ detailKey: "detailLink", params: {} }),
  async prepare({ input, target: { testerId }, request, stored }) {
    await consume({ name: "tester-feedback", limit: PER_TESTER, key: testerId });
    const screenshot = await drawScreenshot(input.screenshot, { id: networkOf(request.ip), signal: request.signal });
    if (screenshot) stored(screenshot);
    return { screenshot };
  },
  async handler({ input, tx, prepared: { screenshot }, request }) {
    const from = { releaseId: input.releaseId, author: {}, screenshot, request };
    const { row, changes, events } = await addFeedback(tx, input, from);
    return { output: { id: row.id }, audit: { recordId: row.id, changes }, events };
  },
});
