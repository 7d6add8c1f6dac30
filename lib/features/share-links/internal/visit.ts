import "server-only";
import { type ConsoleFacts, DESKTOP, type DeviceFacts, reportedVersion } from "@slipway/installers";
import type { z } from "zod";
import { toRelease } from "@/lib/features/releases/data/answers";
import { readVisitorFacts } from "@/lib/features/releases/data/install-facts";
import { fileForDevice, type ReleaseVerdict, releaseInstallFacts, releaseVerdict } from "@/lib/features/releases/rules";
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
  /** On a computer: whether the link opens another release that phones install. */
  onPhones: boolean;
  /** What the console knows about its installation. */
  known: ConsoleFacts;
}

/** The releases that a link opens, its own first, or the one that was published last. */
function releasesOf({ link, releases: rows }: LinkWithReleases): Release[] {
  const ordered = link.followsLatest ? rows.toSorted((a, b) => b.deployDate.getTime() - a.deployDate.getTime()) : rows;
  return ordered.map(toRelease);
}

function releaseFor(releases: readonly Release[], device: DeviceFacts): Release | null {
  const [first] = releases;
  return first ? fileForDevice(first, releases, device) : null;
}

/** Whether phones install one of the releases that a link opens beside the one that a computer shows. */
function othersInstall(releases: readonly Release[], shown: Release | null, now: Date): boolean {
  return releases.some(
    (release) =>
      release !== shown &&
      releaseVerdict(releaseInstallFacts(release), DESKTOP, { now, mayDownload: true }).refusal === null,
  );
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
  request: Pick<RequestFacts, "headers" | "now">,
  isIpad = false,
): Pick<Visit, "link" | "device" | "release" | "onIpad" | "onPhones"> {
  const device = visitingDevice(request, isIpad);
  const releases = releasesOf(found);
  const release = releaseFor(releases, device);
  const onIpad = releaseFor(releases, visitingDevice(request, true));
  const onPhones = device.os === "desktop" && othersInstall(releases, release, request.now);
  return { link: found.link, device, release, onIpad, onPhones };
}

/** Whether a release installs on the visiting device. Every page and answer for visitors asks here. */
export function verdictOf({ release, device, known: installFacts }: Visit, now: Date): ReleaseVerdict | null {
  return (
    release && releaseVerdict(releaseInstallFacts({ ...release, installFacts }), device, { now, mayDownload: true })
  );
}

/**
 * Counts an opening of the page of a link, and begins the visit of a visitor with it.
 * @param isRepeated whether the opening has been counted, and the browser only adds what it was asked for
 */
export async function recordVisit(visited: Visit, visitor: Visitor, at: Date, isRepeated = false): Promise<void> {
  const { link, release, device } = visited;
  if (release) {
    const codes = obstacles(verdictOf(visited, at)?.reasons ?? []);
    const visit = { releaseId: release.id, visitor, at, device: browserDevice(device, visitor), codes };
    recordStep({ ...visit, step: "opened", hasManifest: true });
  }
  if (isRepeated) return;
  const osVersion = reportedVersion(device);
  await countOpening({ linkId: link.id, releaseId: release?.id ?? null, device: device.os, osVersion, at });
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
