import { z } from "zod";
import { plainText } from "../encoding/text";
import { MAX_DIFF_ITEMS } from "../limits";
import type { InstallerDetails } from "../schema";
import { CONTENT_KINDS, type ContentFile, type ContentKind, type InstallerContents } from "./types";

const count = z.int().nonnegative();
const texts = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });
const change = z.object({ from: z.string().nullable(), to: z.string().nullable() });

/** The difference of two builds. Sizes are in bytes. Lists have at most 500 items each. */
export const installerDiffSchema = z.object({
  size: z.object({
    from: count,
    to: count,
    /** What the files of each kind take in the archive; `archive` is the archive itself. */
    byKind: z.array(z.object({ kind: z.enum(CONTENT_KINDS), from: count, to: count })),
  }),
  files: z.object({
    added: count,
    removed: count,
    changed: count,
    /** Those that differ the most, with their sizes after decompression. */
    items: z.array(
      z.object({
        path: z.string(),
        change: z.enum(["added", "removed", "changed"]),
        from: count.nullable(),
        to: count.nullable(),
      }),
    ),
  }),
  /** Android permissions, or the usage descriptions of iOS. */
  permissions: texts,
  /** Android: uses-feature; iOS: required device capabilities. */
  features: texts,
  /** The keys of iOS entitlements. */
  entitlements: texts.extend({ changed: z.array(z.string()) }),
  urlSchemes: texts,
  intentFilters: texts,
  /** The lowest system that installs it, and the SDK or target API level. */
  sdk: z.object({ min: change, target: change }),
  libraries: texts,
  frameworks: texts,
  /** The SHA-256 of the certificates. */
  signing: z.object({ changed: z.boolean(), from: z.array(z.string()), to: z.array(z.string()) }),
  /** The values of AndroidManifest.xml or Info.plist that differ. */
  manifest: z.array(z.object({ path: z.string() }).extend(change.shape)),
});
export type InstallerDiff = z.output<typeof installerDiffSchema>;

/** The part of a difference that the bytes of two installers decide. */
export type ContentsDiff = Omit<InstallerDiff, "entitlements" | "signing">;

/** What is different between what two installers of one kind contain. */
export function diffContents(before: InstallerContents, after: InstallerContents): ContentsDiff {
  const lists = (read: (contents: InstallerContents) => readonly string[]) => listChanges(read(before), read(after));
  return {
    size: { from: before.size, to: after.size, byKind: sizesByKind(before, after) },
    files: fileChanges(before, after),
    permissions: lists(({ permissions }) => permissions),
    features: lists(({ features }) => features),
    urlSchemes: lists(({ urlSchemes }) => urlSchemes),
    intentFilters: lists(({ intentFilters }) => intentFilters),
    sdk: {
      min: { from: before.minimumSystem, to: after.minimumSystem },
      target: { from: before.targetSystem, to: after.targetSystem },
    },
    libraries: lists(({ libraries }) => libraries),
    frameworks: lists(({ frameworks }) => frameworks),
    manifest: manifestChanges(before.manifest, after.manifest),
  };
}

/** What is different between the stored details of two installers of one kind. */
export function diffDetails(
  from: InstallerDetails,
  to: InstallerDetails,
): Pick<InstallerDiff, "entitlements" | "signing"> {
  return {
    entitlements: entitlementChanges(from, to),
    signing: signingChange(from.signingSha256, to.signingSha256),
  };
}

function listChanges(before: readonly string[], after: readonly string[]): { added: string[]; removed: string[] } {
  const [old, current] = [new Set(before), new Set(after)];
  return {
    added: after.filter((text) => !old.has(text)).slice(0, MAX_DIFF_ITEMS),
    removed: before.filter((text) => !current.has(text)).slice(0, MAX_DIFF_ITEMS),
  };
}

function signingChange(from: readonly string[], to: readonly string[]): InstallerDiff["signing"] {
  const changed = from.toSorted().join() !== to.toSorted().join();
  return { changed, from: [...from], to: [...to] };
}

/** The keys of entitlements that were added, removed or changed; none for Android. */
function entitlementChanges(from: InstallerDetails, to: InstallerDetails): InstallerDiff["entitlements"] {
  const [before, after] = [from, to].map(
    (details) => new Map(details.kind === "ipa" ? Object.entries(details.entitlements) : []),
  ) as [Map<string, unknown>, Map<string, unknown>];
  const changed = [...after].filter(
    ([key, value]) => before.has(key) && canonical(before.get(key)) !== canonical(value),
  );
  return {
    ...listChanges([...before.keys()].sort(), [...after.keys()].sort()),
    changed: changed.map(([key]) => key).sort(),
  };
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function sizesByKind(before: InstallerContents, after: InstallerContents): InstallerDiff["size"]["byKind"] {
  const [from, to] = [sizesOf(before), sizesOf(after)];
  return CONTENT_KINDS.map((kind) => ({ kind, from: from.get(kind) ?? 0, to: to.get(kind) ?? 0 })).filter(
    (sizes) => sizes.from > 0 || sizes.to > 0,
  );
}

function sizesOf({ size, appFolder, files }: InstallerContents): Map<ContentKind, number> {
  const sizes = new Map<ContentKind, number>();
  let inFiles = 0;
  for (const [path, { compressedSize }] of files) {
    const kind = appFolder === "" ? kindOfAndroidFile(path) : kindOfIosFile(path, appFolder);
    sizes.set(kind, (sizes.get(kind) ?? 0) + compressedSize);
    inFiles += compressedSize;
  }
  return sizes.set("archive", Math.max(0, size - inFiles));
}

function kindOfAndroidFile(path: string): ContentKind {
  // A bundle has the files of each module in a folder of its own.
  const inModule = path.replace(/^[^/]+\/(?=(?:dex|lib|res|assets|manifest|root)\/|resources\.pb$)/, "");
  if (/^META-INF\/([^/]+\.(SF|RSA|DSA|EC)|MANIFEST\.MF)$/.test(path)) return "signature";
  if (/(^|\/)[^/]+\.dex$/.test(inModule)) return "code";
  if (inModule.startsWith("lib/")) return "nativeLibraries";
  if (inModule.startsWith("assets/")) return "assets";
  return /^(res\/|resources\.(arsc|pb)$)/.test(inModule) ? "resources" : "other";
}

function kindOfIosFile(path: string, appFolder: string): ContentKind {
  if (!path.startsWith(appFolder)) return "other";
  const inApp = path.slice(appFolder.length);
  if (/(^|\/)_CodeSignature\/|^embedded\.mobileprovision$/.test(inApp)) return "signature";
  if (inApp.startsWith("Frameworks/")) return "frameworks";
  if (/^(PlugIns|Extensions|Watch|AppClips)\//.test(inApp)) return "extensions";
  if (/\.(car|storyboardc|nib|lproj|strings|png|jpe?g|ttf|otf)(\/|$)/i.test(inApp)) return "resources";
  // The executable is the only file of the folder that has neither a folder nor an extension, besides PkgInfo.
  if (/^[^./]+$/.test(inApp) && inApp !== "PkgInfo") return "code";
  return "assets";
}

interface FileChange {
  path: string;
  change: "added" | "removed" | "changed";
  from: number | null;
  to: number | null;
}

function fileChanges(before: InstallerContents, after: InstallerContents): InstallerDiff["files"] {
  const changes: FileChange[] = [];
  const counts = { added: 0, removed: 0, changed: 0 };
  const note = (item: FileChange) => {
    counts[item.change] += 1;
    changes.push(item);
    // Memory stays bounded however many files differ.
    if (changes.length >= 4 * MAX_DIFF_ITEMS) keepLargest(changes);
  };
  // An app whose folder was renamed keeps its files.
  const renamed = (path: string, from: string, to: string) =>
    from !== to && path.startsWith(from) ? to + path.slice(from.length) : path;
  for (const [path, file] of after.files) {
    const old = before.files.get(renamed(path, after.appFolder, before.appFolder));
    if (!old) note({ path, change: "added", from: null, to: file.size });
    else if (!same(old, file)) note({ path, change: "changed", from: old.size, to: file.size });
  }
  for (const [path, { size }] of before.files) {
    const name = renamed(path, before.appFolder, after.appFolder);
    if (!after.files.has(name)) note({ path, change: "removed", from: size, to: null });
  }
  keepLargest(changes);
  return { ...counts, items: changes.map((item) => ({ ...item, path: plainText(item.path, 500) })) };
}

function same(a: ContentFile, b: ContentFile): boolean {
  return a.crc32 === b.crc32 && a.size === b.size;
}

const difference = ({ from, to }: FileChange) => Math.abs((to ?? 0) - (from ?? 0));

/** Sorts changes, the largest first, and keeps as many as an answer has. */
function keepLargest(changes: FileChange[]): void {
  changes.sort((a, b) => difference(b) - difference(a) || (a.path < b.path ? -1 : 1));
  changes.length = Math.min(changes.length, MAX_DIFF_ITEMS);
}

function manifestChanges(
  before: InstallerContents["manifest"],
  after: InstallerContents["manifest"],
): InstallerDiff["manifest"] {
  const changes: InstallerDiff["manifest"] = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [from, to] = [before.get(path), after.get(path)];
    // A reference that cannot be resolved is no difference.
    if (from === null || to === null || from === to) continue;
    changes.push({ path, from: from ?? null, to: to ?? null });
    if (changes.length >= MAX_DIFF_ITEMS) break;
  }
  return changes;
}
