import "server-only";
import { diffDetails } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import type { RequestFacts } from "@/lib/http/request-facts";
import { type AuthenticatedActor, actorId } from "@/lib/permissions/actor";
import { compareStored } from "@/lib/storage/comparison";
import { toNamedBuild } from "../data/answers";
import { findDiff, keepDiff } from "../data/diffs";
import { detailsOf, type ReleaseRow } from "../data/rows";
import type { ReleaseDiff } from "../schema";

/**
 * What two releases of one application and one kind of installer differ in, as it was kept or by reading both files.
 * @throws ApiError invalid_installer, unavailable; StorageError
 */
export async function diffReleases(
  from: ReleaseRow,
  to: ReleaseRow,
  call: { actor: AuthenticatedActor; db: Db; request: RequestFacts; after(work: () => Promise<void>): void },
): Promise<ReleaseDiff> {
  const { actor, db, request, after } = call;
  const builds = { from: toNamedBuild(from), to: toNamedBuild(to) };
  // Details may be read again after the difference was kept.
  const details = diffDetails(detailsOf(from), detailsOf(to));
  const kept = await findDiff(db, from.id, to.id);
  if (kept) return { ...kept, ...details, ...builds };
  const caller = { id: actorId(actor), signal: request.signal };
  const contents = await compareStored(from.file, to.file, caller);
  after(() => keepDiff(db, from.id, to.id, contents));
  return { ...contents, ...details, ...builds };
}
