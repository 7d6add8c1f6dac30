import { InstallerError } from "./errors";
import { INSTALLER_KINDS, type InstallerKind } from "./types";

/** The characters of a file name that are read. */
const MAX_FILE_NAME = 255;
/** Files of stores with several APKs for one app. */
const APK_SETS = /\.(?:xapk|apks|apkm|apkx)(?:\.\d+|\.zip)?$/i;
/** A file name to which a messenger or a browser appended something: "app.apk.1", "app.ipa.zip", "app.apk (1)". */
const RENAMED =
  /^(.+\.(?:ipa|apk|aab))(?:\.(?:\d{1,3}|zip|bin|txt|rename|download|octet-stream)|\s*\(\d{1,3}\)|_)+[\s.]*$/i;

/**
 * Why the name of a file is not that of an installer.
 * @returns null if it is
 */
export function fileNameError(fileName: string): InstallerError | null {
  if (kindFromFileName(fileName) !== null) return null;
  if (APK_SETS.test(fileName)) return new InstallerError("apk_set", { fileName });
  const name = RENAMED.exec(fileName.slice(0, MAX_FILE_NAME))?.[1];
  if (name) return new InstallerError("file_renamed", { fileName, name });
  return new InstallerError("extension_unsupported", { fileName });
}

/** The kind of installer that the extension of a file name stands for, in any case; null for other extensions. */
export function kindFromFileName(fileName: string): InstallerKind | null {
  const extension = /\.([A-Za-z]+)$/.exec(fileName)?.[1]?.toLowerCase();
  return INSTALLER_KINDS.find((kind) => kind === extension) ?? null;
}
