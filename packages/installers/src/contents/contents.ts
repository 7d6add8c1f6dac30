import { type Archive, openArchive } from "../archive/archive";
import { detectKind, type InspectOptions, withTimeout } from "../inspect";
import { findAppFolder } from "../ios/ipa";
import type { ByteSource } from "../source";
import { androidContents } from "./android-contents";
import { iosContents } from "./ios-contents";
import type { ContentFile, InstallerContents } from "./types";

/**
 * Reads what an installer contains, to compare it with another one: the central directory and its manifest or
 * Info.plist, never whole files.
 * @throws InstallerError when the file is refused; the reason of the signal when it aborts; the errors of the source
 */
export async function readContents(
  source: ByteSource,
  options: Omit<InspectOptions, "fileName"> = {},
): Promise<InstallerContents> {
  return withTimeout(options, async (signal) => {
    const archive = await openArchive(source, { signal });
    const kind = detectKind(archive);
    const appFolder = kind === "ipa" ? findAppFolder(archive) : "";
    const parts = kind === "ipa" ? await iosContents(archive, appFolder) : await androidContents(archive, kind);
    return { kind, size: source.size, appFolder, files: filesOf(archive), ...parts };
  });
}

function filesOf(archive: Archive): Map<string, ContentFile> {
  const files = new Map<string, ContentFile>();
  for (const { name, isDirectory, uncompressedSize, compressedSize, crc32 } of archive.entries.values()) {
    if (!isDirectory) files.set(name, { size: uncompressedSize, compressedSize, crc32 });
  }
  return files;
}
