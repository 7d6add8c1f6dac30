import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { addFeedback, drawScreenshot } from "@/lib/features/feedback/data/creation";
import { MAX_SCREENSHOT_BYTES } from "@/lib/features/feedback/schema";
import { networkOf } from "@/lib/http/network";
import { consume } from "@/lib/http/rate-limit";
import { idSchema } from "@/lib/kernel/ids-schema";
import { findLinkByCode } from "../data";
import { releaseOfFeedback, requireTakesFeedback } from "../internal/feedback";
import { shareLinkFeedbackInput, shareLinkFeedbackTarget } from "../schema";

/** Feedback by one link from all networks. */
const PER_LINK = { points: 100, seconds: 86_400 };

/** Takes feedback from anyone with a share link: a text, and optionally a rating and a picture. */
export const createShareLinkFeedback = defineCommand({
  area: "share-links",
  name: "create-share-link-feedback",
  summary: "Give feedback on a release through a share link; in a form, put the fields before the picture",
  access: "public",
  input: shareLinkFeedbackInput,
  output: z.object({ id: idSchema }),
  status: 201,
  errors: ["link_ended", "password_required", "conflict", "file_too_large", "unsupported_media_type"],
  rateLimit: { points: 20, seconds: 3_600, by: "address" },
  audit: { table: "Feedback", action: "create" },
  file: {
    field: "screenshot",
    purpose: "screenshot",
    maxBytes: () => MAX_SCREENSHOT_BYTES,
    targetFields: shareLinkFeedbackTarget,
  },
  async target({ code }, _db, _actor, { now }) {
    const found = await findLinkByCode(code);
    if (!found) return null;
    requireTakesFeedback(found, now);
    const { appId, environmentId } = found.link;
    return { appId, environmentId, active: true, found };
  },
  missingTarget: async () => ({ detailKey: "detailLink", params: {} }),
  async prepare({ input, target: { found }, request, stored }) {
    const releaseId = await releaseOfFeedback(found, input, request);
    await consume({ name: "share-link-feedback", limit: PER_LINK, key: found.link.id });
    const screenshot = await drawScreenshot(input.screenshot, { id: networkOf(request.ip), signal: request.signal });
    if (screenshot) stored(screenshot);
    return { releaseId, screenshot };
  },
  async handler({ input, target: { found }, tx, prepared: { releaseId, screenshot }, request }) {
    const author = { shareLinkId: found.link.id };
    const { row, changes, events } = await addFeedback(tx, input, { releaseId, author, screenshot, request });
    return { output: { id: row.id }, audit: { recordId: row.id, changes }, events };
  },
});
