import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { detailsOf } from "@/lib/features/releases/data/rows";
import { scopesFor } from "@/lib/permissions/authorize";
import { readStoredBinaries } from "@/lib/storage/installer-facts";
import { listReleaseFiles, symbolsOfRelease, toReleaseFile } from "../data";
import { getReleaseFilesInput, releaseFilesOutput } from "../schema";

/** The further files of a release, and which programs of its `.ipa` have no symbols. */
export const getReleaseFiles = defineQuery({
  area: "apps",
  name: "get-release-files",
  summary: "List the symbols and other files of a release",
  access: "release:read",
  forGroups: true,
  namesPeople: true,
  input: getReleaseFilesInput,
  output: releaseFilesOutput,
  errors: [],
  target: ({ releaseId }, db) => releaseTarget(db, releaseId),
  async handler({ input, actor, target, db }) {
    const { release } = target;
    const [page, binaries] = await Promise.all([listReleaseFiles(db, input), readStoredBinaries(db, release.fileId)]);
    const symbols = detailsOf(release).kind === "ipa" ? await symbolsOfRelease(db, release.id, binaries) : null;
    const scopes = scopesFor(actor, target);
    const { rows, ...rest } = page;
    return { ...rest, items: rows.map((row) => toReleaseFile(row, binaries, scopes)), symbols };
  },
});
