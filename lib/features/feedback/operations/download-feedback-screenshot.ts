import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { findFile } from "@/lib/features/files/data";
import { storage } from "@/lib/storage";
import { serveStored } from "@/lib/storage/serve";
import { feedbackTarget } from "../data/feedback";
import { feedbackIdInput } from "../schema";

/** The picture of feedback. It may show anything that was on somebody's screen, so it is no image that everybody with its ID gets. */
export const downloadFeedbackScreenshot = defineDownload({
  area: "feedback",
  name: "download-feedback-screenshot",
  summary: "Get the picture of feedback",
  access: "release:read",
  input: feedbackIdInput,
  contentTypes: ["image/webp"],
  errors: [],
  target: ({ id }, db) => feedbackTarget(db, id),
  async handler({ target: { feedback }, db, request }) {
    const { screenshotFileId } = feedback;
    const file = orNotFound(await findFile(db, orNotFound(screenshotFileId)));
    const reply = await serveStored(
      storage(),
      {
        key: file.storageKey,
        size: Number(file.size),
        sha256: file.sha256 as string,
        contentType: file.contentType,
        fileName: file.name,
      },
      request,
      { disposition: "inline", cacheControl: "private, no-cache", redirect: false },
    );
    const headers = {
      ...reply.headers,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
    };
    return { ...reply, headers };
  },
});
