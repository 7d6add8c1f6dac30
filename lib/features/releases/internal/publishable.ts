import "server-only";
import type { Installer, InstallerDetails, InstallerKind } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { type EnvironmentTarget, environmentTarget } from "@/lib/features/environments/data";
import { defaultPlatform, findPlatform } from "@/lib/features/platforms/data";
import { requireRules } from "@/lib/features/rules/data";
import type { RuledBuild } from "@/lib/features/rules/rules";
import type { Finding } from "@/lib/features/rules/schema";
import { conflict, invalidField } from "@/lib/kernel/errors";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import { factsOfInspection, type PublishedFacts } from "@/lib/storage/installer-facts";
import { newestRelease } from "../data/releases";
import { holdRoom } from "../data/room";
import { detailsOf } from "../data/rows";
import { fitsPlatform, platformKindOf, requireIdentifier, requireVersion } from "../rules";
import { inspectStored } from "./inspection";
import { refusedEvent } from "./release-events";

/**
 * Returns the platform of a release: the given one, or the default for the kind of installer.
 * @throws ApiError validation_failed
 */
async function platformFor(db: Db, platformId: string | undefined, kind: InstallerKind): Promise<string> {
  const platform = platformId ? await findPlatform(db, platformId) : await defaultPlatform(db, platformKindOf(kind));
  if (!platform) throw invalidField("platformId", platformId ? "unknown" : "noPlatform");
  if (platform.status !== "active") throw invalidField("platformId", "inactivePlatform");
  if (!fitsPlatform(platform.kind, kind)) throw invalidField("platformId", "platformKind", { name: platform.name });
  return platform.id;
}

/**
 * Reads a stored file and checks that it can be published in an environment.
 * @param release what is said of the release, which must agree with the file
 * @throws ApiError invalid_installer, identifier_mismatch, version_mismatch, validation_failed
 */
export async function inspectPublishable(
  db: Db,
  file: Parameters<typeof inspectStored>[0],
  release: {
    target: EnvironmentTarget;
    version?: string;
    buildNumber?: string;
    platformId?: string;
    caller: Parameters<typeof inspectStored>[1];
  },
): Promise<{ installer: Installer; details: InstallerDetails; facts: PublishedFacts; platformId: string }> {
  const { app, environment } = release.target;
  const { installer, details } = await inspectStored(file, release.caller);
  requireIdentifier(installer.identifier, [app.identifier, ...environment.identifiers]);
  requireVersion(release, installer);
  const platformId = await platformFor(db, release.platformId, installer.kind);
  return { installer, details, facts: await factsOfInspection(installer), platformId };
}

/**
 * Repeats the checks of everything that may have changed since an installer was read, and locks it until the release
 * is stored.
 * @returns the environment as it is now
 * @throws ApiError as the checks before
 */
export async function holdPlace(
  tx: Db,
  place: { appId: string; environmentId: string; platformId: string },
  installer: Pick<Installer, "identifier" | "kind">,
): Promise<EnvironmentTarget> {
  const { appId, environmentId, platformId } = place;
  await lockRow(tx, "App", appId, { shared: true });
  await lockRow(tx, "Environment", environmentId, { shared: true });
  await lockRow(tx, "Platform", platformId, { shared: true });
  const target = await environmentTarget(tx, environmentId);
  if (!target?.active) throw conflict("environmentId", "inactiveTarget");
  requireIdentifier(installer.identifier, [target.app.identifier, ...target.environment.identifiers]);
  await platformFor(tx, platformId, installer.kind);
  await holdRoom(tx, environmentId);
  return target;
}

/**
 * Checks a build against the rules of the environment in which it is published.
 * @returns what stands on the release
 * @throws ApiError rule_violated
 */
export function requireEnvironmentRules(
  tx: Db,
  place: { target: EnvironmentTarget; platformId: string; actor: AuthenticatedActor; override: boolean; now: Date },
  build: RuledBuild & { identifier: string; displayName: string },
): Promise<Finding[]> {
  const { target, platformId, actor } = place;
  const { environmentId } = target;
  const { identifier, installer } = build;
  return requireRules(tx, build, {
    ...{ environmentId, override: place.override, now: place.now },
    refusal: (broken) => refusedEvent(target, build, { broken, actor }),
    async before() {
      const newest = await newestRelease(tx, { environmentId, platformId, identifier, kind: installer.kind });
      return newest && { ...newest, size: newest.file.size, installer: detailsOf(newest) };
    },
  });
}

/** What the audit record says of rules that were overridden. */
export function overriddenRules(findings: readonly Finding[]): { overriddenRules?: string[] } {
  const rules = findings.filter(({ overridden }) => overridden).map(({ rule }) => rule);
  return rules.length > 0 ? { overriddenRules: [...new Set(rules)] } : {};
}
