import type { InstallerKind, SymbolImage } from "@slipway/installers";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import type { Scope } from "@/lib/permissions/scopes";
import type { ReleaseFileKind } from "./schema";

/** How many UUIDs an error names of each side. */
const NAMED_UUIDS = 4;

/**
 * Refuses symbols for another system: dSYM bundles belong to an `.ipa`, mapping files to an `.apk` or `.aab`.
 * @throws ApiError validation_failed
 */
export function requireKind(kind: ReleaseFileKind, installer: InstallerKind): void {
  const isFor = { dsym: installer === "ipa", mapping: installer !== "ipa", other: true };
  if (!isFor[kind]) throw invalidField("kind", "releaseFileKind", { installer });
}

const uuidsOf = (images: readonly SymbolImage[]) => {
  const uuids = images.slice(0, NAMED_UUIDS).map(({ uuid, architecture }) => `${uuid} (${architecture})`);
  return [...uuids, ...(images.length > NAMED_UUIDS ? ["…"] : [])].join(", ");
};

/**
 * Refuses symbols of which none belongs to a program of the build.
 * @throws ApiError symbols_mismatch, which names both
 */
export function requireMatch(symbols: readonly SymbolImage[], binaries: readonly SymbolImage[]): void {
  if (binaries.length === 0) throw new ApiError("symbols_mismatch", { detailKey: "detailNoPrograms" });
  const ofBuild = new Set(binaries.map(({ uuid }) => uuid));
  if (symbols.some(({ uuid }) => ofBuild.has(uuid))) return;
  throw new ApiError("symbols_mismatch", { params: { found: uuidsOf(symbols), expected: uuidsOf(binaries) } });
}

/**
 * The right that a download needs beside that to download releases. Symbols tell the names of an app's code, which obfuscation
 * hides from those who install it.
 */
export function furtherDownloadScope(kind: ReleaseFileKind): Scope | null {
  return kind === "other" ? null : "release:create";
}

/** Whether somebody with these scopes may download a file. */
export function mayDownload(kind: ReleaseFileKind, scopes: readonly Scope[]): boolean {
  const further = furtherDownloadScope(kind);
  return scopes.includes("release:download") && (further === null || scopes.includes(further));
}
