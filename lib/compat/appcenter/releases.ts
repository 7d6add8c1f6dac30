import "server-only";
import { z } from "zod";
import type { AppCenterUpload } from "@/lib/db/generated/client";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { updateTestingDeploy } from "@/lib/features/releases/operations/update-testing-deploy";
import { MAX_DESCRIPTION, type Release } from "@/lib/features/releases/schema";
import { distributeRelease } from "@/lib/features/testers/operations/distribute-release";
import { ApiError } from "@/lib/kernel/errors";
import { DAY_MS } from "@/lib/kernel/time";
import { scopesFor } from "@/lib/permissions/authorize";
import { releasesOf } from "../environment-releases";
import { run } from "../operations";
import { type AppCall, bodyOf, callerOf, optionalText, requireGroup } from "./calls";
import { findUpload, updateUpload } from "./data";
import { numberOf, timeOfNumber } from "./release-numbers";
import { shownRelease } from "./shapes";

/** How much earlier or later than its ID a release may have been published. */
const TOLERANCE_MS = DAY_MS;
const notesBody = z.object({ release_notes: optionalText(MAX_DESCRIPTION) });
const groupBody = z.object({
  id: z.string(),
  mandatory_update: z.boolean().nullish(),
  /** False with `--silent`. */
  notify_testers: z.boolean().nullish(),
});

type Numbered = { upload: AppCenterUpload; release: null } | { upload: null; release: Release };

/** Finds what a number stands for: an upload that is not distributed yet, or a release. @throws ApiError not_found */
async function numbered(call: AppCall): Promise<Numbered> {
  const number = Number(call.parameter);
  const { actor } = call;
  const caller = callerOf(call);
  if (call.parameter === "latest") {
    for await (const release of releasesOf(caller)) return { upload: null, release };
    throw new ApiError("not_found");
  }
  if (!Number.isSafeInteger(number) || number < 1) throw new ApiError("not_found");
  const time = timeOfNumber(number);
  if (time === null) {
    const upload = await findUpload(actor.tokenId, { number: BigInt(number) });
    if (!upload?.fileId || upload.failure !== null) throw new ApiError("not_found");
    if (upload.releaseId === null) return { upload, release: null };
    return { upload: null, release: await run(getTestingDeployById, caller, { id: upload.releaseId }) };
  }
  const near = (milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString();
  for await (const release of releasesOf(caller, { from: near(-TOLERANCE_MS), to: near(TOLERANCE_MS) })) {
    if (numberOf(release.id) === number) return { upload: null, release };
  }
  throw new ApiError("not_found");
}

export async function showRelease(call: AppCall) {
  const { upload, release } = await numbered(call);
  if (upload) {
    const { number, description } = upload;
    return { status: 200, body: { id: Number(number), status: "unavailable", release_notes: description ?? "" } };
  }
  const asked = Number(call.parameter);
  return { status: 200, body: shownRelease(release, Number.isNaN(asked) ? numberOf(release.id) : asked) };
}

export async function setNotes(call: AppCall) {
  const { release_notes: description } = await bodyOf(call.exchange, notesBody);
  const { upload, release } = await numbered(call);
  if (upload) await updateUpload(upload.id, { description: description ?? null });
  else if (description !== undefined) await run(updateTestingDeploy, callerOf(call), { id: release.id, description });
  return { status: 200, body: { release_notes: description ?? "" } };
}

/** What an upload becomes in the environment of the token, for `create-testing-deploy`. */
export function releaseOf({ place }: AppCall, upload: AppCenterUpload, fileId: string) {
  return {
    environmentId: place.environment.id,
    fileId,
    description: upload.description ?? upload.fileName ?? "-",
    version: upload.version ?? undefined,
    buildNumber: upload.buildNumber ?? undefined,
  };
}

/**
 * Makes a release mandatory that was published without it, if the token may change releases.
 * @returns whether the release is mandatory
 */
async function makeMandatory(call: AppCall, { id, mandatory }: Release): Promise<boolean> {
  if (mandatory || !scopesFor(call.actor, call.actor).includes("release:update")) return mandatory;
  return (await run(updateTestingDeploy, callerOf(call), { id, mandatory: true })).mandatory;
}

/**
 * Publishes an upload in the environment of the token, and distributes it to the group if that is one of testers. What was published
 * before is distributed to a further group.
 */
export async function distribute(call: AppCall) {
  const { id, mandatory_update: mandatory, notify_testers: notifies } = await bodyOf(call.exchange, groupBody);
  const group = await requireGroup(call, id);
  const notify = notifies ?? true;
  const { upload, release: found } = await numbered(call);
  let release: Release;
  if (upload) {
    release = await run(createTestingDeploy, callerOf(call), {
      ...releaseOf(call, upload, upload.fileId as string),
      ...(mandatory && { mandatory }),
      ...(!group.isEnvironment && { groups: [group.id], notify }),
    });
    await updateUpload(upload.id, { releaseId: release.id });
  } else {
    release = found;
    if (!group.isEnvironment) {
      await run(distributeRelease, callerOf(call), { releaseId: release.id, groupIds: [group.id], notify });
    }
  }
  const isMandatory = mandatory ? await makeMandatory(call, release) : release.mandatory;
  return { status: 201, body: { id, mandatory_update: isMandatory, provisioning_status_url: null } };
}

export async function listReleases(call: AppCall) {
  const releases: unknown[] = [];
  for await (const release of releasesOf(callerOf(call))) releases.push(shownRelease(release, numberOf(release.id)));
  return { status: 200, body: releases };
}
