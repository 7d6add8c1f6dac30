import type { Archive, ArchiveEntry } from "../archive/archive";

/** A file in the folder of an app, with the paths within it by which the app may name it, in the normalization form NFC. */
interface AppFile {
  entry: ArchiveEntry;
  paths: string[];
}

/**
 * The files in the folder of an app. Names that differ only by Unicode normalization are one file to iOS, which also unpacks names that
 * are not in UTF-8.
 */
export function* appFiles(archive: Archive, folder: string): Generator<AppFile> {
  const depth = folder.split("/").length - 1;
  for (const entry of archive.entries.values()) {
    if (entry.isDirectory || !entry.name.startsWith(folder)) continue;
    const others = entry.otherNames.map((name) => name.split("/").slice(depth).join("/"));
    yield { entry, paths: [entry.name.slice(folder.length), ...others].map((path) => path.normalize()) };
  }
}

/** The file of an app by its path in the folder. */
export function appFile(archive: Archive, folder: string, path: string): ArchiveEntry | undefined {
  const exact = archive.entries.get(folder + path);
  // Text in ASCII has one form.
  if (exact || /^[\x20-\x7e]*$/.test(path)) return exact;
  const wanted = path.normalize();
  for (const { entry, paths } of appFiles(archive, folder)) if (paths.includes(wanted)) return entry;
  return undefined;
}
