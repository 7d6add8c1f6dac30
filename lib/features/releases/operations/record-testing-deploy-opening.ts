import "server-only";
import { DESKTOP, type DeviceFacts, deviceFromBrowser } from "@slipway/installers";
import { z } from "zod";
import { defineBodyQuery } from "@/lib/api/operation";
import type { UserActor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { recordUse } from "@/lib/testers/distributions";
import { browserDevice, obstacles } from "@/lib/visits/device";
import { recordStep, recordVisit } from "@/lib/visits/record";
import { userVisitor } from "@/lib/visits/visitor";
import { toRelease } from "../data/answers";
import { readInstallFacts } from "../data/install-facts";
import { recordOpening, recordPublisherOpening } from "../data/openings";
import { releaseTarget } from "../data/releases";
import type { ReleaseRow } from "../data/rows";
import { releaseInstallFacts, releaseVerdict } from "../rules";
import { recordReleaseOpeningInput } from "../schema";

/** What is known of the visit of a user who opens a release. */
interface OpenedVisit {
  actor: UserActor;
  release: ReleaseRow;
  device: DeviceFacts;
  mayDownload: boolean;
  now: Date;
}

/** Records that the visit of a user has begun. */
function recordOpened({ actor, release, device, now: at }: OpenedVisit): void {
  const visitor = userVisitor(actor.userId);
  const visit = { releaseId: release.id, visitor, at, device: browserDevice(device, visitor) };
  recordStep({ ...visit, step: "opened", hasManifest: true });
}

/** Records what is in the way of an installation on the user's device. */
async function recordObstacles({ actor, release, device, mayDownload, now }: OpenedVisit): Promise<void> {
  const { stored: _, ...known } = await readInstallFacts(release, actor);
  const facts = { ...releaseInstallFacts(toRelease(release)), known };
  const { reasons } = releaseVerdict(facts, device, { now, mayDownload });
  const visit = { releaseId: release.id, visitor: userVisitor(actor.userId), at: now };
  recordVisit({ ...visit, steps: ["opened"], codes: obstacles(reasons) });
}

/**
 * Records that a person sees the page of a release, as a download records itself: it is no change of the release, and leaves no
 * audit record. The page calls it once it is visible, so that prefetched pages do not count. Calls with an API token do not count.
 * Calls of people who can publish there are kept apart, and only tell those who share the release that its link works: openings tell
 * whether others have seen it. In the steps of installations (`installs/get-install-funnel`), they count on phones. Someone to whom the release was distributed is kept as having opened it.
 */
export const recordTestingDeployOpening = defineBodyQuery({
  area: "apps",
  name: "record-testing-deploy-opening",
  summary: "Record that the caller sees the page of a release",
  access: "release:read",
  forGroups: true,
  input: recordReleaseOpeningInput,
  /** `recorded` is false if it was opened on such a device just before, or if the caller is an API token. */
  output: z.object({ recorded: z.boolean() }),
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ input: { device, osVersion = null }, target, actor, request, db, after }) {
    if (actor.kind !== "user") return { recorded: false };
    const { userId } = actor;
    await recordUse(db, { releaseId: target.release.id, userId, at: request.now, kind: "openedAt" });
    const opening = { releaseId: target.release.id, device, osVersion, at: request.now };
    const scopes = scopesFor(actor, target);
    const canPublish = scopes.includes("release:create");
    // Those who publish manage a release on their computers, and install it on their phones.
    if (!canPublish || device !== "desktop") {
      const told = deviceFromBrowser({ userAgent: request.userAgent ?? "" });
      const system = { os: device, osVersion, osVersionIsMinimum: false };
      const visit = {
        actor,
        release: target.release,
        device: { ...(told.os === device ? told : DESKTOP), ...system },
        mayDownload: scopes.includes("release:download"),
        now: request.now,
      };
      recordOpened(visit);
      after(() => recordObstacles(visit));
    }
    return { recorded: await (canPublish ? recordPublisherOpening : recordOpening)(db, opening) };
  },
});
