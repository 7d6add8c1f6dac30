import "server-only";
import { db } from "@/lib/db/client";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { earlierRelease, type LinkWithReleases } from "../data";
import { takesFeedback } from "../rules";
import { isUnlocked } from "./unlocking";
import { openedBy } from "./visit";

/** @throws ApiError link_ended */
export function requireTakesFeedback({ link }: LinkWithReleases, now: Date): void {
  if (link.isDeleted || !takesFeedback(link, now)) throw new ApiError("link_ended");
}

/** The release that a visitor tried: what the link opens on their device, or an earlier one that they name. */
async function triedRelease(
  found: LinkWithReleases,
  tried: { version?: string | undefined; buildNumber?: string | undefined },
  request: Pick<RequestFacts, "headers" | "now">,
): Promise<string | null> {
  const { release } = openedBy(found, request);
  const { version, buildNumber } = tried;
  if (version === undefined || buildNumber === undefined) return release?.id ?? null;
  const isTried = (one: { version: string; buildNumber: string }) =>
    one.version === version && one.buildNumber === buildNumber;
  if (release && isTried(release)) return release.id;
  const opened = found.releases.find(isTried);
  if (opened) return opened.id;
  return found.link.followsLatest ? earlierRelease(db, found.link, { version, buildNumber }) : null;
}

/**
 * Finds the release that a visitor of a link gives feedback on.
 * @throws ApiError link_ended, password_required, not_found
 */
export async function releaseOfFeedback(
  found: LinkWithReleases,
  tried: { version?: string | undefined; buildNumber?: string | undefined },
  request: RequestFacts,
): Promise<string> {
  requireTakesFeedback(found, request.now);
  if (!(await isUnlocked(found.link, request))) throw new ApiError("password_required");
  const releaseId = await triedRelease(found, tried, request);
  if (releaseId === null) throw new ApiError("not_found", { detailKey: "detailLink" });
  return releaseId;
}
