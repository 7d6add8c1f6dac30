import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { auditedText } from "@/lib/audit/texts";
import { changesBetween } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { type EnvironmentTarget, environmentTarget } from "@/lib/features/environments/data";
import { copyReleaseFiles } from "@/lib/features/release-files/data";
import type { Finding } from "@/lib/features/rules/schema";
import { requestInstallChecks } from "@/lib/jobs/install-check";
import { requestUniversalApks } from "@/lib/jobs/universal-apks";
import { ApiError, type FieldIssue } from "@/lib/kernel/errors";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { newId } from "@/lib/kernel/ids";
import { unique } from "@/lib/kernel/unique";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { claimFile } from "@/lib/storage/files";
import { installsOnApple, toRelease } from "../data/answers";
import {
  createRelease,
  creatorColumns,
  findReleaseOfBytes,
  holdRelease,
  lockBytes,
  releaseTarget,
} from "../data/releases";
import { detailsOf, type ReleaseRow } from "../data/rows";
import { distributeNew } from "../internal/distribute-new";
import { promotedName } from "../internal/promoted-name";
import { holdPlace, overriddenRules, requireEnvironmentRules } from "../internal/publishable";
import { publishedEvent, violatedEvents } from "../internal/release-events";
import { PROMOTED_FROM, type PublishedRelease, promotedReleasesOutput, promoteTestingDeployInput } from "../schema";

/** The environment to publish in, and the releases to publish. */
interface PromotionTarget extends EnvironmentTarget {
  releases: ReleaseRow[];
}

/** Publishes the file of a release in another environment, which has no release of these bytes. */
async function copyRelease(
  tx: Db,
  source: ReleaseRow,
  { environmentId, environment }: EnvironmentTarget,
  more: { description: string; warnings: Finding[]; actor: AuthenticatedActor; now: Date },
): Promise<ReleaseRow> {
  if (!(await claimFile(tx, source.fileId))) throw new ApiError("not_found");
  const hasIcon = source.iconFileId !== null && (await claimFile(tx, source.iconFileId));
  const { platformId, fileId, version, buildNumber, identifier, displayName, minOs, iosEnabled, fileName } = source;
  const copy = await createRelease(tx, {
    id: newId(),
    environmentId,
    platformId,
    fileId,
    iconFileId: hasIcon ? source.iconFileId : null,
    version,
    buildNumber,
    identifier,
    displayName,
    minOs,
    iosEnabled,
    fileName,
    description: more.description,
    warnings: more.warnings,
    configurationVersion: environment.configurationVersion || null,
    installer: detailsOf(source),
    metadata: { ...(source.metadata as Record<string, string>), [PROMOTED_FROM]: source.id },
    deployDate: more.now,
    universalState: detailsOf(source).kind === "aab" ? "pending" : null,
    ...creatorColumns(more.actor),
  });
  const scopes = scopesFor(more.actor, { appId: source.environment.app.id, environmentId: source.environmentId });
  const to = { releaseId: copy.id, ...creatorColumns(more.actor), now: more.now };
  await copyReleaseFiles(tx, { releaseId: source.id, scopes }, to);
  return copy;
}

/** The rules that files break, and what webhooks are told of it. */
interface Refusals {
  issues: FieldIssue[];
  events: ConsoleEvent[];
}

/**
 * Runs the check of one of several files.
 * @returns null if the file breaks rules, which are added to `refused` under the file's place in `ids`, with their event
 */
async function collectRefusals<T>(
  check: Promise<T>,
  { ids, id, refused }: { ids: readonly string[]; id: string; refused: Refusals },
): Promise<T | null> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "rule_violated" || ids.length === 1) throw error;
    refused.issues.push(...error.issues.map((issue) => ({ ...issue, path: ["ids", ids.indexOf(id), ...issue.path] })));
    refused.events.push(...error.events);
    return null;
  }
}

/**
 * Publishes releases in another environment without uploading them again: both refer to the same stored file, and to the further
 * files that the caller may download. The copies are not mandatory, and have the environment's current configuration version.
 * Releases that are there already are distributed to those of the `groups` that do not have them.
 */
export const promoteTestingDeploy = defineCommand({
  area: "apps",
  name: "promote-testing-deploy",
  summary: "Publish releases in another environment, without uploading them again",
  access: "release:create",
  input: promoteTestingDeployInput,
  output: promotedReleasesOutput,
  status: 201,
  repeatable: true,
  errors: ["conflict", "identifier_mismatch", "rule_violated"],
  audit: { table: "Release", action: "promote" },
  activeTarget: "environmentId",
  maxJsonBytes: 192 * 1024,
  async target({ ids, environmentId, groups, override }, db): Promise<PromotionTarget | null> {
    const [target, ...sources] = await Promise.all([
      environmentTarget(db, environmentId),
      ...ids.map((id) => releaseTarget(db, id)),
    ]);
    if (!target || sources.includes(null)) return null;
    const found = sources.filter((source) => source !== null);
    return {
      ...target,
      releases: found.map(({ release }) => release),
      requires: [
        ...found.map(({ release: _, ...place }) => ({ access: "release:download" as const, target: place })),
        ...(groups.length > 0 ? [{ access: "release:update" as const }] : []),
        ...(override ? [{ access: "environment:write" as const }] : []),
      ],
    };
  },
  async handler({ input, actor, target, tx, request }) {
    // In one order, so that two promotions of the same releases wait for each other instead of blocking each other.
    const sources = target.releases.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const published = new Map<string, PublishedRelease>();
    const created: ReleaseRow[] = [];
    const overridden: Finding[] = [];
    const events: ConsoleEvent[] = [];
    const refused: Refusals = { issues: [], events: [] };
    for (const { id } of sources) {
      const source = await holdRelease(tx, id);
      const { appId, environmentId } = target;
      const { identifier, platformId } = source;
      const place = await holdPlace(
        tx,
        { appId, environmentId, platformId },
        { identifier, kind: detailsOf(source).kind },
      );
      const sha256 = source.file.sha256 as string;
      await lockBytes(tx, environmentId, sha256);
      const twin = await findReleaseOfBytes(tx, environmentId, sha256);
      if (twin) {
        published.set(id, { ...toRelease(twin), repeated: true });
        continue;
      }
      const description = input.description ?? source.description;
      const check = requireEnvironmentRules(
        tx,
        { target: place, platformId, actor, override: input.override, now: request.now },
        { ...source, description, size: source.file.size, installer: detailsOf(source) },
      );
      const warnings = await collectRefusals(check, { ids: input.ids, id, refused });
      // The other files are still checked, so that the answer names the rules that each of them breaks.
      if (!warnings || refused.issues.length > 0) continue;
      overridden.push(...warnings);
      const copy = await copyRelease(tx, source, place, { description, warnings, actor, now: request.now });
      created.push(copy);
      events.push(publishedEvent(copy, actor), ...violatedEvents(copy, warnings, actor));
      published.set(id, toRelease(copy));
    }
    if (refused.issues.length > 0) {
      const issues = refused.issues.toSorted((a, b) => Number(a.path[1]) - Number(b.path[1]));
      throw new ApiError("rule_violated", { params: { count: issues.length }, issues, events: refused.events });
    }
    const items = input.ids.map((id) => published.get(id) as PublishedRelease);
    const recordId = (created[0] ?? items[0])?.id as string;
    const recordName = promotedName(created.length > 0 ? created.map((copy) => toRelease(copy)) : items);
    const fromEnvironments = unique(sources.map(({ environment }) => environment.name));
    const { groups, notify } = input;
    const told = { groups, notify, by: creatorColumns(actor), now: request.now };
    // Two of the files can have the same bytes, which are one release here.
    const releaseIds = unique(items.map(({ id }) => id));
    const isDistributed = await distributeNew(tx, target, releaseIds, told);
    if (created.length === 0) {
      const changes = isDistributed ? changesBetween(null, { groups, notify }) : {};
      return {
        output: { items },
        repeated: true,
        audit: { recordId, recordName, changes, action: "promote-repeated" },
      };
    }
    if (created.some((copy) => detailsOf(copy).kind === "aab")) await requestUniversalApks(tx);
    await requestInstallChecks(
      tx,
      created.filter(installsOnApple).map(({ id }) => id),
    );
    const { version, buildNumber, description } = created[0] as ReleaseRow;
    const named = { environmentId: target.environmentId, version, buildNumber };
    const facts = { ...named, description: auditedText(description) };
    const copies = { releases: created.map(({ id }) => id), promotedFrom: input.ids, fromEnvironments };
    return {
      output: { items },
      audit: {
        recordId,
        recordName,
        changes: changesBetween(null, {
          ...facts,
          ...copies,
          ...(groups.length > 0 && { groups, notify }),
          ...overriddenRules(overridden),
        }),
      },
      events,
    };
  },
});
