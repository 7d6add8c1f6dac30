import "server-only";
import type { ConsoleFacts, InstallerDetails } from "@slipway/installers";
import { type Db, db as database } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import type { Actor } from "@/lib/permissions/actor";
import {
  NO_FACTS,
  readFactsOfRelease,
  readInstallerFacts,
  type StoredFacts,
  ungrantedEntitlements,
} from "@/lib/storage/installer-facts";
import { ANDROID_FAMILY } from "../rules";
import type { Release } from "../schema";
import { detailsOf, type ReleaseRow } from "./rows";

/** What the console knows about the installation of a release by a person, beside what the release says. */
interface InstallFacts extends ConsoleFacts {
  ownAuthority: boolean;
  ungrantedEntitlements: string[];
  certificateRevoked: boolean;
  installed: { buildNumber: string; signingSha256: string[] } | null;
}

/**
 * What a person installed last of an app from this console on Android, where the browser downloads the file: the build, and who signed
 * it. Whether it is still on a device is not known.
 */
async function installedBefore(
  from: Db,
  { identifier, environment: { app } }: ReleaseRow,
  userId: string,
): Promise<InstallFacts["installed"]> {
  const [row] = await queryRows<{ buildNumber: string; signingSha256: string[] | null }>(
    from,
    sql`
      SELECT r."buildNumber", CASE WHEN r."installer"->>'kind' = 'aab'
        THEN to_jsonb(array_remove(ARRAY[r."universalSha256"], NULL)) ELSE r."installer"->'signingSha256' END AS "signingSha256"
      FROM "ReleaseDownload" d JOIN "Release" r ON r."id" = d."releaseId"
        JOIN "Environment" e ON e."id" = r."environmentId"
      WHERE d."userId" = ${userId}::uuid AND d."userAgent" = ${ANDROID_FAMILY} AND e."appId" = ${app.id}::uuid
        AND r."identifier" = ${identifier} AND r."installer"->>'kind' <> 'ipa'
      ORDER BY d."at" DESC LIMIT 1`,
    { prepared: true },
  );
  return row ? { buildNumber: row.buildNumber, signingSha256: row.signingSha256 ?? [] } : null;
}

/** What the console knows about the installation of a release, with the stored facts of its file. */
export async function readInstallFacts(
  release: ReleaseRow,
  actor: Actor,
  from: Db = database,
): Promise<InstallFacts & { stored: StoredFacts }> {
  const isForAndroid = detailsOf(release).kind !== "ipa";
  const [stored, installed] = await Promise.all([
    readInstallerFacts(from, release.fileId),
    isForAndroid && actor.kind === "user" ? installedBefore(from, release, actor.userId) : null,
  ]);
  return { ...factsOf(detailsOf(release), stored), installed, stored };
}

function factsOf(details: InstallerDetails, stored: StoredFacts): Omit<InstallFacts, "installed"> {
  return {
    ownAuthority: env.LAN_HOSTS.length > 0,
    ungrantedEntitlements: details.kind === "ipa" ? ungrantedEntitlements(stored.claims, details) : [],
    certificateRevoked: stored.certificateRevoked,
  };
}

/** What the console knows about the installation of a release by somebody without an account. */
export async function readVisitorFacts({ id, installer }: Pick<Release, "id" | "installer">): Promise<ConsoleFacts> {
  const stored = installer.kind === "ipa" ? await readFactsOfRelease(database, id) : NO_FACTS;
  return factsOf(installer, stored);
}
