import { inspectAab } from "./android/aab";
import { inspectApk } from "./android/apk";
import { type Archive, openArchive } from "./archive/archive";
import { InstallerError } from "./errors";
import { inspectIpa, isIpa } from "./ios/ipa";
import type { ByteSource } from "./source";
import { INSTALLER_KINDS, type Installer, type InstallerKind } from "./types";

export interface InspectOptions {
  /** The file's name; its extension must be that of the contents. */
  fileName: string;
  /** Ends the inspection with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds; 20 seconds unless given. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;

const INSPECTORS: Record<InstallerKind, (archive: Archive, signal: AbortSignal) => Promise<Installer>> = {
  ipa: inspectIpa,
  apk: inspectApk,
  aab: inspectAab,
};

/** The kind that a file's name promises by its extension, whatever its case; null where that is none of ours. */
export function kindFromFileName(fileName: string): InstallerKind | null {
  const extension = /\.([A-Za-z]+)$/.exec(fileName)?.[1]?.toLowerCase();
  return INSTALLER_KINDS.find((kind) => kind === extension) ?? null;
}

/**
 * Reads an installer: finds out from the contents what it is, and reads its identifier, name, version, signature, icon
 * and so on. Only the parts of the file that hold these are fetched.
 * @throws InstallerError that says why the file is refused; the signal's reason; whatever the source throws
 */
export async function inspectInstaller(source: ByteSource, options: InspectOptions): Promise<Installer> {
  const promised = kindFromFileName(options.fileName);
  if (!promised) throw new InstallerError("extension_unsupported", { fileName: options.fileName });
  return withinTime(options, async (signal) => {
    const archive = await openArchive(source, { signal });
    const kind = kindOf(archive);
    if (kind !== promised) throw new InstallerError("kind_mismatch", { extension: promised, kind });
    return INSPECTORS[kind](archive, signal);
  });
}

/** What an archive is, by the files that make a device take it for an app. */
function kindOf(archive: Archive): InstallerKind {
  const { entries } = archive;
  const signs: Record<InstallerKind, boolean> = {
    ipa: isIpa(archive),
    apk: entries.has("AndroidManifest.xml"),
    aab: entries.has("BundleConfig.pb") || entries.has("base/manifest/AndroidManifest.xml"),
  };
  const kinds = INSTALLER_KINDS.filter((kind) => signs[kind]);
  if (kinds.length > 1) throw new InstallerError("installer_ambiguous");
  if (kinds[0]) return kinds[0];

  const names = [...entries.keys()].filter((name) => !name.startsWith("__MACOSX/"));
  if (names.some((name) => name.startsWith("Payload/"))) return "ipa"; // incomplete, which its inspector explains
  const nested = names.find((name) => /\/Payload\/[^/]+\.app\//.test(name));
  if (nested)
    throw new InstallerError("ipa_payload_nested", { path: nested.slice(0, nested.indexOf("/Payload/") + 8) });
  const inner = names.find((name) => kindFromFileName(name) !== null);
  if (inner) throw new InstallerError("installer_nested", { name: inner });
  throw new InstallerError("not_an_installer");
}

/** Runs `inspect` with a signal that ends it with the caller's or when the time is up, and does not wait longer. */
async function withinTime<T>(options: InspectOptions, inspect: (signal: AbortSignal) => Promise<T>): Promise<T> {
  options.signal?.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const controller = new AbortController();
  const { signal } = controller;
  const follow = () => controller.abort(options.signal?.reason);
  const timer = setTimeout(() => {
    controller.abort(new InstallerError("inspection_timed_out", { seconds: Math.ceil(timeoutMs / 1000) }));
  }, timeoutMs);
  options.signal?.addEventListener("abort", follow);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  try {
    return await Promise.race([inspect(signal), aborted]);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", follow);
  }
}
