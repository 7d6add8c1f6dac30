import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { findFile } from "@/lib/features/files/data";
import { servePicture } from "@/lib/storage/serve-picture";
import { feedbackTarget } from "../data/feedback";
import { feedbackIdInput } from "../schema";

/** The picture of feedback. It may show anything that was on somebody's screen, so its ID alone does not give access to it. */
export const downloadFeedbackScreenshot = defineDownload({
  area: "feedback",
  name: "download-feedback-screenshot",
  summary: "Get the picture of a piece of feedback",
  access: "release:read",
  forGroups: true,
  input: feedbackIdInput,
  contentTypes: ["image/webp"],
  errors: [],
  target: ({ id }, db) => feedbackTarget(db, id),
  async handler({ target: { feedback }, db, request }) {
    const { screenshotFileId } = feedback;
    const file = orNotFound(await findFile(db, orNotFound(screenshotFileId)));
    return servePicture(file, request, "private, no-cache");
  },
});
