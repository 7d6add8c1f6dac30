import "server-only";
import { deviceFromHeaders, reportedVersion } from "@slipway/installers";
import { type Changes, changesBetween } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { releaseFacts } from "@/lib/features/releases/data/event-facts";
import { holdRelease } from "@/lib/features/releases/data/releases";
import type { ReleaseRow } from "@/lib/features/releases/data/rows";
import type { ReceivedFile } from "@/lib/http/received-file";
import type { RequestFacts } from "@/lib/http/request-facts";
import { requestMail } from "@/lib/jobs/mail";
import { env } from "@/lib/kernel/env";
import { ApiError, conflict } from "@/lib/kernel/errors";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { newId } from "@/lib/kernel/ids";
import { feedbackPath } from "@/lib/kernel/navigation/pages";
import { HOUR_MS } from "@/lib/kernel/time";
import { claimFile } from "@/lib/storage/files";
import { storeScreenshot } from "@/lib/storage/images";
import { ImageError } from "@/lib/storage/images/renderer";
import { MAX_FEEDBACK_OF_RELEASE } from "../schema";
import {
  auditedFeedback,
  countFeedbackOfRelease,
  createFeedback,
  type FeedbackRow,
  requireRoomForFeedback,
  wasMailedSince,
} from "./feedback";

/** What somebody says about a release, as the operations take it. */
interface GivenFeedback {
  text: string;
  rating?: number | undefined;
  device?: FeedbackRow["device"] | undefined;
  osVersion?: string | undefined;
  model?: string | undefined;
}

const IMAGE_DETAILS = { unreadable: "detailScreenshot", killed: "detailScreenshotTooComplex" } as const;

/**
 * Re-encodes an uploaded picture, without its metadata, and stores the result.
 * @throws ApiError unsupported_media_type if it cannot be drawn; unavailable
 */
export async function drawScreenshot(
  upload: ReceivedFile | undefined,
  caller: { id: string; signal: AbortSignal },
): Promise<ReceivedFile | null> {
  if (!upload) return null;
  try {
    return await storeScreenshot(upload, caller);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new ApiError("unsupported_media_type", { detailKey: IMAGE_DETAILS[error.reason], cause: error });
  }
}

function createdEvent(row: FeedbackRow, release: ReleaseRow): ConsoleEvent {
  const { id, text, rating, screenshotFileId, createdByUser: userId } = row;
  const feedback = { id, text, rating, hasScreenshot: screenshotFileId !== null };
  const url = `${env.APP_URL}${feedbackPath(release.environment.app.id, { releaseId: release.id })}`;
  return {
    type: "feedback.created",
    appId: release.environment.app.id,
    data: { ...releaseFacts(release), feedback, userId, url },
  };
}

/**
 * Requests a mail to the person who published a release, unless they give the feedback themselves. It does not contain the text:
 * anybody with a link may have written it, and the reader may no longer read the release.
 */
async function mailPublisher(
  tx: Db,
  row: FeedbackRow,
  release: ReleaseRow,
  locale: RequestFacts["locale"],
): Promise<void> {
  const userId = release.createdByUser as string;
  const { app, name: environment } = release.environment;
  await requestMail(tx, {
    purpose: "feedback",
    userId,
    locale,
    app: app.name,
    environment,
    version: release.version,
    buildNumber: release.buildNumber,
    rating: row.rating,
    path: feedbackPath(app.id, { releaseId: release.id }),
  });
}

/** The mails about feedback on one release to its publisher: one in this time. */
const MAIL_INTERVAL_MS = HOUR_MS;

/**
 * Adds feedback on a release, with the mail and the event that tell of it.
 * @param from.screenshot as `drawScreenshot` stored it
 * @throws ApiError not_found if the release was deleted; conflict if it or its environment has as much as it can have
 */
export async function addFeedback(
  tx: Db,
  given: GivenFeedback,
  from: {
    releaseId: string;
    author: { createdByUser?: string; createdByToken?: string; shareLinkId?: string };
    screenshot: ReceivedFile | null;
    request: Pick<RequestFacts, "headers" | "locale" | "now">;
  },
): Promise<{ row: FeedbackRow; changes: Changes; events: ConsoleEvent[] }> {
  const { releaseId, author, screenshot, request } = from;
  const release = await holdRelease(tx, releaseId);
  // So that the limit and the interval of mails hold if several people write at once.
  await lockUntilCommit(tx, `feedback:${releaseId}`);
  if ((await countFeedbackOfRelease(tx, releaseId, MAX_FEEDBACK_OF_RELEASE)) >= MAX_FEEDBACK_OF_RELEASE) {
    throw new ApiError("conflict", { detailKey: "detailTooMuchFeedback", params: { limit: MAX_FEEDBACK_OF_RELEASE } });
  }
  await requireRoomForFeedback(tx, release.environmentId);
  if (screenshot && !(await claimFile(tx, screenshot.fileId))) throw conflict("screenshot", "taken");
  const { createdByUser: publisher } = release;
  const isMailed =
    publisher !== null &&
    publisher !== author.createdByUser &&
    !(await wasMailedSince(tx, releaseId, new Date(request.now.getTime() - MAIL_INTERVAL_MS)));
  const device = deviceFromHeaders(request.headers);
  const { text, rating = null, osVersion, model } = given;
  const isOther = given.device !== undefined && given.device !== device.os;
  const row = await createFeedback(tx, {
    id: newId(),
    environmentId: release.environmentId,
    releaseId,
    version: release.version,
    buildNumber: release.buildNumber,
    text,
    rating,
    device: given.device ?? device.os,
    osVersion: osVersion || (isOther ? null : reportedVersion(device)),
    model: model || null,
    screenshotFileId: screenshot?.fileId ?? null,
    mailed: isMailed,
    createdAt: request.now,
    ...author,
  });
  if (isMailed) await mailPublisher(tx, row, release, request.locale);
  return { row, changes: changesBetween(null, auditedFeedback(row)), events: [createdEvent(row, release)] };
}
