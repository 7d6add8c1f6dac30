import "server-only";
import type { InstallerIcon } from "@slipway/installers";
import { defineCommand, type MissingTarget } from "@/lib/api/operation";
import { auditedText, auditedTexts } from "@/lib/audit/texts";
import { changesBetween } from "@/lib/audit/write";
import { findAppIdByIdentifier } from "@/lib/features/apps/data";
import {
  type EnvironmentTarget,
  environmentTarget,
  findEnvironmentByNames,
  toEnvironmentTarget,
} from "@/lib/features/environments/data";
import { distributeNew } from "@/lib/features/releases/internal/distribute-new";
import {
  holdPlace,
  inspectPublishable,
  overriddenRules,
  requireEnvironmentRules,
} from "@/lib/features/releases/internal/publishable";
import { publishedEvent, violatedEvents } from "@/lib/features/releases/internal/release-events";
import { findPublishable, requireInstallerName } from "@/lib/features/uploads/data";
import { ReceivedFile } from "@/lib/http/received-file";
import { requestInstallChecks } from "@/lib/jobs/install-check";
import { requestInstallerFacts } from "@/lib/jobs/installer-facts";
import { requestUniversalApks } from "@/lib/jobs/universal-apks";
import { env } from "@/lib/kernel/env";
import { invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { actorId } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { claimFile, discardFiles } from "@/lib/storage/files";
import { renderPng, storePng } from "@/lib/storage/images";
import { ImageError } from "@/lib/storage/images/renderer";
import { storePublishedFacts } from "@/lib/storage/installer-facts";
import { toRelease } from "../data/answers";
import { createRelease, creatorColumns, findReleaseOfBytes, lockBytes } from "../data/releases";
import { requireFileName } from "../rules";
import { createTestingDeployInput, placeSchema, publishedReleaseSchema } from "../schema";

/**
 * Stores the icon of a release; null if there is none or it cannot be drawn.
 * @throws ApiError unavailable if too many icons wait: published without it, the release would never have one
 */
async function storeIcon(
  icon: InstallerIcon | null,
  caller: { id: string; signal: AbortSignal },
): Promise<ReceivedFile | null> {
  if (!icon) return null;
  try {
    return await storePng(await renderPng(icon.bytes, { lane: "release", ...caller }), "icon.png", caller.id);
  } catch (error) {
    caller.signal.throwIfAborted();
    if (error instanceof ImageError) return null;
    throw error;
  }
}

/**
 * Publishes a release: takes an installer, reads it, and makes it available in an environment.
 *
 * The installer comes as the form's file or as the `fileId` of a finished upload. In a form, put the fields before the
 * file: then a wrong environment, a missing right or a wrong file type is refused before the file is sent.
 * Publishing the same bytes again in the same environment answers 200 with the existing release, and distributes it to those of
 * the `groups` that do not have it.
 */
export const createTestingDeploy = defineCommand({
  area: "apps",
  name: "create-testing-deploy",
  summary: "Publish a release; in a form, put the fields before the file",
  access: "release:create",
  input: createTestingDeployInput,
  output: publishedReleaseSchema,
  status: 201,
  repeatable: true,
  errors: ["conflict", "invalid_installer", "identifier_mismatch", "version_mismatch", "rule_violated"],
  audit: { table: "Release", action: "create" },
  activeTarget: "environmentId",
  maxJsonBytes: 512 * 1024,
  file: {
    field: "file",
    purpose: "installer",
    maxBytes: () => env.MAX_UPLOAD_BYTES,
    texts: ["description", "metadata"],
    accept: requireInstallerName,
    targetFields: placeSchema,
  },
  async target({ place, groups = [], override }, db): Promise<EnvironmentTarget | null> {
    const named =
      "environmentId" in place
        ? await environmentTarget(db, place.environmentId)
        : await findEnvironmentByNames(db, place.app, place.environment).then((row) => row && toEnvironmentTarget(row));
    if (!named) return null;
    // The fields before the file of a form have neither groups nor an override yet.
    const requires = [
      ...(groups.length > 0 ? [{ access: "release:update" as const }] : []),
      ...(override ? [{ access: "environment:write" as const }] : []),
    ];
    return { ...named, requires };
  },
  async missingTarget({ place }, db, actor): Promise<MissingTarget> {
    if ("environmentId" in place) return { detailKey: "environmentId", params: { id: place.environmentId } };
    const { app, environment } = place;
    const appId = await findAppIdByIdentifier(db, app);
    const isKnown = appId !== null && scopesFor(actor, { appId, environmentId: null }).length > 0;
    return isKnown
      ? { detailKey: "environmentName", params: { app, environment } }
      : { detailKey: "appIdentifier", params: { app } };
  },
  async prepare({ input, actor, target, db, request, stored }) {
    const { installer: given } = input;
    const file =
      given instanceof ReceivedFile ? given : await findPublishable(db, actor, given.uploadedFileId, request.now);
    if (!file) throw invalidField("fileId", "unknown");
    const caller = { id: actorId(actor), signal: request.signal };
    const { installer, details, facts, platformId } = await inspectPublishable(db, file, { ...input, target, caller });
    requireFileName(input.fileName, installer.kind);
    if ((input.configurationVersion ?? 0) > target.environment.configurationVersion) {
      throw invalidField("configurationVersion", "unknown");
    }
    const twin = await findReleaseOfBytes(db, target.environmentId, file.sha256);
    const icon = twin ? null : await storeIcon(installer.icon, caller);
    if (icon) stored(icon);
    return { file, installer, details, installerFacts: facts, platformId, icon };
  },
  async handler({ input, actor, target, tx, prepared, request, after }) {
    const { file, installer, details, installerFacts, platformId, icon } = prepared;
    const { appId, environmentId } = target;
    const place = await holdPlace(tx, { appId, environmentId, platformId }, installer);
    const { environment } = place;
    const { groups, notify } = input;
    const told = { groups, notify, by: creatorColumns(actor), now: request.now };
    await lockBytes(tx, environmentId, file.sha256);
    const twin = await findReleaseOfBytes(tx, environmentId, file.sha256);
    if (twin) {
      // The file of an upload is kept until the upload expires, because the request may be repeated.
      const received = input.installer instanceof ReceivedFile ? input.installer : null;
      const superfluous = [received, icon].filter((one) => one !== null);
      after(() => discardFiles(superfluous));
      const isDistributed = await distributeNew(tx, { appId, environmentId }, [twin.id], told);
      const changes = isDistributed ? changesBetween(null, { groups, notify }) : {};
      return {
        output: { ...toRelease(twin), repeated: true as const },
        repeated: true,
        audit: { recordId: twin.id, changes, action: "create-repeated" },
      };
    }
    if (!(await claimFile(tx, file.fileId))) throw invalidField("fileId", "unknown");
    if (icon) await claimFile(tx, icon.fileId);
    const { identifier, displayName, version, buildNumber, minOs } = installer;
    const facts = {
      environmentId,
      platformId,
      fileId: file.fileId,
      version,
      buildNumber,
      identifier,
      displayName,
      minOs,
      description: input.description,
      iosEnabled: input.iosEnabled ?? installer.kind === "ipa",
      mandatory: input.mandatory ?? false,
      fileName: input.fileName ?? null,
      configurationVersion: input.configurationVersion ?? (environment.configurationVersion || null),
      metadata: input.metadata,
    };
    const { size, sha256 } = file;
    const warnings = await requireEnvironmentRules(
      tx,
      { target: place, platformId, actor, override: input.override ?? false, now: request.now },
      { ...facts, size, installer: details },
    );
    const created = await createRelease(tx, {
      ...facts,
      warnings,
      ...creatorColumns(actor),
      id: newId(),
      iconFileId: icon?.fileId,
      installer: details,
      deployDate: request.now,
      universalState: installer.kind === "aab" ? "pending" : null,
    });
    await storePublishedFacts(tx, file.fileId, installerFacts, request.now);
    if (installerFacts.isPending) await requestInstallerFacts(tx);
    await distributeNew(tx, { appId, environmentId }, [created.id], told);
    if (installer.kind === "ipa" && facts.iosEnabled) await requestInstallChecks(tx, [created.id]);
    if (installer.kind === "aab") await requestUniversalApks(tx);
    return {
      output: toRelease(created),
      audit: {
        recordId: created.id,
        changes: changesBetween(null, {
          ...facts,
          description: auditedText(facts.description),
          metadata: auditedTexts(facts.metadata),
          ...(groups.length > 0 && { groups, notify }),
          ...overriddenRules(warnings),
          size,
          sha256,
        }),
      },
      events: [publishedEvent(created, actor), ...violatedEvents(created, warnings, actor)],
    };
  },
});
