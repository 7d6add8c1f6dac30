import "server-only";
import type { Db } from "@/lib/db/client";
import { latestInstallersByApp } from "@/lib/features/releases/data/latest";
import { readableEnvironments } from "@/lib/features/releases/data/lists";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import type { Actor } from "@/lib/permissions/actor";
import { sightOf } from "@/lib/permissions/visibility";

/** The newest release for iOS that a caller may read, or else the newest for Android, as the target of a call; null if there is none. */
export async function newestReadableTarget(db: Db, actor: Actor): ReturnType<typeof releaseTarget> {
  const environments = await readableEnvironments(db, sightOf(actor, "release:read"), {});
  const releases = await latestInstallersByApp(db, environments, 1);
  const newest = (kind: string) =>
    releases
      .filter(({ installer }) => (installer as { kind?: unknown }).kind === kind)
      .reduce<(typeof releases)[number] | null>(
        (one, other) => (one && one.deployDate >= other.deployDate ? one : other),
        null,
      );
  const release = newest("ipa") ?? newest("apk");
  return release && releaseTarget(db, release.id);
}
