import type { InstallerKind } from "../types";

/** What a file of an installer is for, by its path. */
export const CONTENT_KINDS = [
  "code",
  "nativeLibraries",
  "frameworks",
  "extensions",
  "resources",
  "assets",
  "signature",
  "other",
  "archive",
] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** A file of an installer, as the central directory describes it. */
export interface ContentFile {
  /** Bytes. */
  size: number;
  /** Bytes in the archive. */
  compressedSize: number;
  crc32: number;
}

/** What an installer contains, as far as two builds are compared by it. */
export interface InstallerContents {
  kind: InstallerKind;
  /** Bytes of the whole file. */
  size: number;
  /** `Payload/<name>.app/` of an iOS app; empty otherwise. */
  appFolder: string;
  /** By path, without folders. */
  files: ReadonlyMap<string, ContentFile>;
  /** Android: permissions; iOS: the keys of usage descriptions. */
  permissions: readonly string[];
  features: readonly string[];
  urlSchemes: readonly string[];
  /** One text for each intent filter; empty for iOS. */
  intentFilters: readonly string[];
  /** Native libraries, by ABI and name. */
  libraries: readonly string[];
  /** iOS: embedded frameworks; Android: the libraries that name their version in META-INF. */
  frameworks: readonly string[];
  /** The values of the manifest or Info.plist, by their paths; null where a reference cannot be resolved. */
  manifest: ReadonlyMap<string, string | null>;
  /** An iOS version or an Android API level. */
  minimumSystem: string | null;
  /** The SDK of an iOS app, or the target API level of Android. */
  targetSystem: string | null;
}
