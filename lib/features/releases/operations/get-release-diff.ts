import "server-only";
import { defineQuery } from "@/lib/api/operation";
import type { BinaryReply } from "@/lib/http/reply";
import { invalidField } from "@/lib/kernel/errors";
import { releaseTarget } from "../data/releases";
import { detailsOf, type ReleaseRow } from "../data/rows";
import { diffReleases } from "../internal/diff";
import { diffMarkdown } from "../internal/diff-markdown";
import { releaseDiffInput, releaseDiffSchema } from "../schema";

/** @throws ApiError validation_failed if the two cannot be compared */
function requireComparable(from: ReleaseRow, to: ReleaseRow): void {
  if (from.environment.app.id !== to.environment.app.id) throw invalidField("from", "differentApp");
  const kinds = { from: detailsOf(from).kind, to: detailsOf(to).kind };
  if (kinds.from !== kinds.to) throw invalidField("from", "differentKind", kinds);
}

/**
 * What two releases of one application differ in: sizes, files, permissions, entitlements, systems, libraries, signature and
 * the values of the manifest. The central directories and a few files of both are read, and the result is kept.
 */
export const getReleaseDiff = defineQuery({
  area: "apps",
  name: "get-release-diff",
  summary: "Compare two releases of an application",
  access: "release:read",
  forGroups: true,
  input: releaseDiffInput,
  output: releaseDiffSchema,
  errors: ["invalid_installer"],
  async target(input, db) {
    const [from, to] = await Promise.all([releaseTarget(db, input.from), releaseTarget(db, input.to)]);
    if (!from || !to) return null;
    const { release: before, ...place } = from;
    return { ...to, before, requires: [{ access: "release:read" as const, target: place }] };
  },
  async handler(context) {
    const { before, release } = context.target;
    requireComparable(before, release);
    return diffReleases(before, release, context);
  },
  asFile: {
    contentTypes: ["text/markdown"],
    async reply(context): Promise<BinaryReply | null> {
      if (context.input.format !== "markdown") return null;
      const { before, release } = context.target;
      requireComparable(before, release);
      const diff = await diffReleases(before, release, context);
      return {
        status: 200,
        headers: { "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "no-store" },
        body: diffMarkdown(diff, {
          name: release.displayName,
          kind: detailsOf(release).kind,
          locale: context.request.locale,
        }),
      };
    },
  },
});
