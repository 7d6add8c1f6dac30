import "server-only";
import { sql } from "@/lib/db/query";
import { platformLogoUrl } from "@/lib/features/platforms/data";
import { env } from "@/lib/kernel/env";
import { safeFileName } from "@/lib/kernel/file-name";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { hasCurrentNotes, NOTES_VERSION, renderedNotes } from "../internal/release-notes";
import type { Release } from "../schema";
import { detailsOf, type ReleaseRow } from "./rows";

function creatorOf({ user, token }: ReleaseRow): Release["createdBy"] {
  if (user) {
    const { id, firstNames, lastNames, avatarFileId } = user;
    return { kind: "user", id, name: `${firstNames} ${lastNames}`, avatarUrl: avatarFileId && fileUrl(avatarFileId) };
  }
  return token && { kind: "token", id: token.id, name: token.name, avatarUrl: null };
}

/** The console's page from which a release is installed. */
export function installUrl(id: string): string {
  return `${env.APP_URL}${PAGES.releases}?id=${id}`;
}

/** How far the APK of a bundle is. */
function universalOf({
  universalState,
  universalSize,
  universalSha256,
  universalKey,
  universalError,
  universalDetail,
}: ReleaseRow) {
  // The operation's output schema parses it.
  if (universalState === null) return null;
  return {
    state: universalState,
    size: universalState === "ready" ? universalSize : null,
    signingSha256: universalSha256,
    key: universalKey,
    error: universalError,
    detail: universalDetail,
  } as Release["universal"];
}

/** A release's row as the API shows it. */
export function toRelease(row: ReleaseRow): Release {
  const { environment, platform, file } = row;
  // The operation's output schema parses it.
  const installer = row.installer as Release["installer"];
  const { id, name, identifier } = environment.app;
  const { descriptionHtml, descriptionSummary } = hasCurrentNotes(row) ? row : renderedNotes(row.description);
  return {
    id: row.id,
    app: { id, name, identifier },
    environment: { id: environment.id, name: environment.name },
    platform: { id: platform.id, name: platform.name, kind: platform.kind, logoUrl: platformLogoUrl(platform) },
    version: row.version,
    buildNumber: row.buildNumber,
    identifier: row.identifier,
    displayName: row.displayName,
    description: row.description,
    descriptionHtml,
    descriptionSummary,
    iosEnabled: row.iosEnabled,
    mandatory: row.mandatory,
    keep: row.keep,
    fileName: safeFileName(row.fileName ?? file.name, [installer.kind]),
    size: file.size,
    sha256: file.sha256 as string,
    iconUrl: row.iconFileId && fileUrl(row.iconFileId),
    minOs: row.minOs,
    deployDate: row.deployDate.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: creatorOf(row),
    configurationVersion: row.configurationVersion,
    // The operation's output schema parses it.
    metadata: row.metadata as Release["metadata"],
    // The operation's output schema parses it.
    warnings: row.warnings as Release["warnings"],
    installer,
    universal: universalOf(row),
    downloads: row.downloadCount,
    installUrl: installUrl(row.id),
    qrUrl: `${env.APP_URL}/api/apps/download-testing-deploy-qr-code?id=${row.id}`,
  };
}

/** The summary of the notes of `r` as its row keeps it, and otherwise the notes; see `summaryOf`. */
export const SUMMARY = sql`CASE WHEN r."notesVersion" = ${NOTES_VERSION} THEN r."descriptionSummary" END AS "keptSummary",
  left(r."description", 1000) AS "description"`;

/** The first line of release notes as plain text, of columns that `SUMMARY` selects. */
export function summaryOf({ keptSummary, description }: { keptSummary: string | null; description: string }): string {
  return keptSummary ?? renderedNotes(description).descriptionSummary;
}

/** What names a release. */
export function toNamedBuild({ id, version, buildNumber }: Pick<ReleaseRow, "id" | "version" | "buildNumber">) {
  return { id, version, buildNumber };
}

/** Whether iPhones and iPads may install a release from the console. */
export function installsOnApple(row: ReleaseRow): boolean {
  return row.iosEnabled && detailsOf(row).kind === "ipa";
}
