import "server-only";
import { type ConsoleFacts, type DeviceFacts, reportedVersion } from "@slipway/installers";
import type { z } from "zod";
import { toRelease } from "@/lib/features/releases/data/answers";
import { readVisitorFacts } from "@/lib/features/releases/data/install-facts";
import { type ReleaseVerdict, releaseInstallFacts, releaseVerdict } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { browserDevice, obstacles, visitingDevice } from "@/lib/visits/device";
import { recordStep } from "@/lib/visits/record";
import type { Visitor } from "@/lib/visits/visitor";
import { countOpening, findLinkByCode, type LinkWithReleases, shareLinkUrl, type VisitedLink } from "../data";
import { linkEnd } from "../rules";
import type { openedShareLinkSchema } from "../schema";
import { isUnlocked } from "./unlocking";

/** A visit to a link: what it opens on the device that asks. */
export interface Visit {
  link: VisitedLink;
  device: DeviceFacts;
  /** Null while nothing has been published that the link would open. */
  release: Release | null;
  /** What the link opens if the browser presents itself as a Mac, and is that of an iPad. */
  onIpad: Release | null;
  /** What the console knows about its installation. */
  known: ConsoleFacts;
}

/**
 * The release for a device: the first one for its system if there is one, and otherwise the link's own, or the one that was published
 * last.
 */
function releaseFor({ link, releases: rows }: LinkWithReleases, { os }: DeviceFacts): Release | null {
  const ordered = link.followsLatest ? rows.toSorted((a, b) => b.deployDate.getTime() - a.deployDate.getTime()) : rows;
  const releases = ordered.map(toRelease);
  const isFor = ({ installer: { kind } }: Release) =>
    os === "android" ? kind !== "ipa" : os !== "desktop" && kind === "ipa";
  return releases.find(isFor) ?? releases[0] ?? null;
}

/**
 * Finds the link of a code.
 * @throws ApiError not_found if there never was one
 */
export async function linkOfCode(code: string): Promise<LinkWithReleases> {
  const found = await findLinkByCode(code);
  if (!found) throw new ApiError("not_found", { detailKey: "detailLink" });
  return found;
}

/** @throws ApiError link_ended, which does not say why or whose it was */
export function requireOpen({ link }: LinkWithReleases, now: Date): void {
  if (link.isDeleted || linkEnd(link, now) !== null) throw new ApiError("link_ended");
}

/**
 * Opens a link for the browser of a request.
 * @param isIpad whether a browser that presents itself as a Mac is that of an iPad
 * @throws ApiError not_found, link_ended, password_required
 */
export async function visit(code: string, request: RequestFacts, isIpad = false): Promise<Visit> {
  const found = await linkOfCode(code);
  requireOpen(found, request.now);
  if (!(await isUnlocked(found.link, request))) throw new ApiError("password_required");
  const opened = openedBy(found, request, isIpad);
  return { ...opened, known: opened.release ? await readVisitorFacts(opened.release) : {} };
}

/** What a link opens on the device of a request. */
export function openedBy(
  found: LinkWithReleases,
  request: Pick<RequestFacts, "userAgent">,
  isIpad = false,
): Pick<Visit, "link" | "device" | "release" | "onIpad"> {
  const device = visitingDevice(request, isIpad);
  const onIpad = releaseFor(found, visitingDevice(request, true));
  return { link: found.link, device, release: releaseFor(found, device), onIpad };
}

/** Whether a release installs on the visiting device. Every page and answer for visitors asks here. */
export function verdictOf({ release, device, known: installFacts }: Visit, now: Date): ReleaseVerdict | null {
  return (
    release && releaseVerdict(releaseInstallFacts({ ...release, installFacts }), device, { now, mayDownload: true })
  );
}

/** Counts an opening of the page of a link, and begins the visit of a visitor with it. */
export function recordVisit(visited: Visit, visitor: Visitor, at: Date): Promise<void> {
  const { link, release, device } = visited;
  if (release) {
    const codes = obstacles(verdictOf(visited, at)?.reasons ?? []);
    const visit = { releaseId: release.id, visitor, at, device: browserDevice(device, visitor), codes };
    recordStep({ ...visit, step: "opened", hasManifest: true });
  }
  const osVersion = reportedVersion(device);
  return countOpening({ linkId: link.id, releaseId: release?.id ?? null, device: device.os, osVersion, at });
}

/** A visit as the API answers it. */
export function toOpenedLink(visit: Visit, code: string, now: Date): z.input<typeof openedShareLinkSchema> {
  const { link, release } = visit;
  const judged = verdictOf(visit, now);
  return {
    release: release && {
      displayName: release.displayName,
      version: release.version,
      buildNumber: release.buildNumber,
      platform: release.platform.kind,
      size: release.size,
      publishedAt: release.deployDate,
      minOs: release.minOs,
      iconUrl: release.iconUrl,
      notesHtml: link.showNotes ? release.descriptionHtml : null,
    },
    install: judged && { verdict: judged.verdict, way: judged.way, reasons: judged.reasons },
    url: shareLinkUrl(code),
    onlyPhones: link.onlyPhones,
    hasPassword: link.passwordHash !== null,
    expiresAt: link.expiresAt?.toISOString() ?? null,
  };
}
