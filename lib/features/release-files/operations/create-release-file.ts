import "server-only";
import type { MappingFacts, SymbolImage } from "@slipway/installers";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { creatorColumns, lockRelease, releaseTarget } from "@/lib/features/releases/data/releases";
import { detailsOf, type ReleaseRow } from "@/lib/features/releases/data/rows";
import { findAttachable } from "@/lib/features/uploads/data";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import type { ThreadCaller } from "@/lib/kernel/thread-queue";
import { actorId } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { claimFile } from "@/lib/storage/files";
import { readBinariesOf } from "@/lib/storage/inspection";
import { readStoredBinaries, type StoredBinaries } from "@/lib/storage/installer-facts";
import { readDsymsOf, readMappingOf } from "@/lib/storage/symbols";
import { auditedFile, countReleaseFiles, findFileOfBytes, insertReleaseFile, toReleaseFile } from "../data";
import { requireKind, requireMatch } from "../rules";
import { createdReleaseFileSchema, createReleaseFileInput, MAX_RELEASE_FILES, type ReleaseFileKind } from "../schema";

/** The programs of a release: as they are stored, or read now if the job has not read them yet. */
async function binariesOf(db: Db, release: ReleaseRow, caller: ThreadCaller): Promise<StoredBinaries> {
  const stored = await readStoredBinaries(db, release.fileId);
  if (stored.state !== "pending" || detailsOf(release).kind !== "ipa") return stored;
  return { state: "known", binaries: (await readBinariesOf(release.file, caller)) ?? [] };
}

/** What is read of a file, checked against the programs of its release. */
async function factsOf(
  kind: ReleaseFileKind,
  file: { storageKey: string; size: number },
  { binaries, caller }: { binaries: StoredBinaries; caller: ThreadCaller },
): Promise<SymbolImage[] | MappingFacts | null> {
  if (kind === "other") return null;
  if (kind === "mapping") return readMappingOf(file, caller);
  const images = await readDsymsOf(file, caller);
  // What cannot be read of the build cannot contradict.
  if (binaries.state === "known") requireMatch(images, binaries.binaries);
  return images;
}

/**
 * Adds symbols or another file to a release. The UUIDs of dSYM bundles are compared with those of the programs of the `.ipa`; a
 * mapping file has to be text that names classes. Adding the same bytes again answers 200 with the file that is there.
 */
export const createReleaseFile = defineCommand({
  area: "apps",
  name: "create-release-file",
  summary: "Add symbols or another file to a release, from a finished upload",
  access: "release:create",
  input: createReleaseFileInput,
  output: createdReleaseFileSchema,
  status: 201,
  repeatable: true,
  errors: ["conflict", "invalid_symbols", "symbols_mismatch", "invalid_installer"],
  audit: { table: "ReleaseFile", action: "create" },
  activeTarget: "releaseId",
  target: ({ releaseId }, db) => releaseTarget(db, releaseId),
  async prepare({ input, actor, target: { release }, db, request }) {
    const { kind, releaseId, fileId } = input;
    requireKind(kind, detailsOf(release).kind);
    const file = await findAttachable(db, actor, { fileId, releaseId, now: request.now });
    if (!file) throw invalidField("fileId", "unknown");
    const caller = { id: actorId(actor), signal: request.signal };
    const binaries = await binariesOf(db, release, caller);
    return { file, binaries, facts: await factsOf(kind, file, { binaries, caller }) };
  },
  async handler({ input, actor, target, tx, prepared, request }) {
    const { file, binaries, facts } = prepared;
    const { kind, name, releaseId } = input;
    const scopes = scopesFor(actor, target);
    await lockRelease(tx, releaseId);
    const { fileId, sha256, size } = file;
    const twin = await findFileOfBytes(tx, { releaseId, kind, sha256 });
    if (twin) {
      // The upload is kept until it expires, because the request may be repeated.
      return {
        output: { ...toReleaseFile(twin, binaries, scopes), repeated: true as const },
        repeated: true,
        audit: { recordId: twin.id, changes: {}, action: "create-repeated" },
      };
    }
    if ((await countReleaseFiles(tx, releaseId)) >= MAX_RELEASE_FILES) {
      throw new ApiError("conflict", { detailKey: "detailReleaseFiles", params: { limit: MAX_RELEASE_FILES } });
    }
    if (!(await claimFile(tx, fileId))) throw invalidField("fileId", "unknown");
    const created = await insertReleaseFile(tx, {
      releaseId,
      fileId,
      kind,
      name,
      size,
      facts,
      createdAt: request.now,
      ...creatorColumns(actor),
    });
    return {
      output: toReleaseFile(created, binaries, scopes),
      audit: { recordId: created.id, changes: changesBetween(null, auditedFile(created)) },
    };
  },
});
