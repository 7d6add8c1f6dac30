import { inspectAab } from "./android/aab";
import { inspectApk } from "./android/apk";
import { type Archive, openArchive } from "./archive/archive";
import { InstallerError } from "./errors";
import type { CodeSignature } from "./ios/code-signature";
import { inspectIpa, isIpa, readCodeSignatureOf } from "./ios/ipa";
import { INSPECTION_TIMEOUT_MS } from "./limits";
import type { ByteSource } from "./source";
import { INSTALLER_KINDS, type Installer, type InstallerKind } from "./types";

export interface InspectOptions {
  /** The name of the file. Its extension must match the contents. */
  fileName: string;
  /** Aborts the inspection with the reason of the signal. */
  signal?: AbortSignal;
  /** Milliseconds; the default is 20,000. */
  timeoutMs?: number;
}

const INSPECTORS: Record<InstallerKind, (archive: Archive, signal: AbortSignal) => Promise<Installer>> = {
  ipa: inspectIpa,
  apk: inspectApk,
  aab: inspectAab,
};

/** The kind of installer that the extension of a file name stands for, in any case; null for other extensions. */
export function kindFromFileName(fileName: string): InstallerKind | null {
  const extension = /\.([A-Za-z]+)$/.exec(fileName)?.[1]?.toLowerCase();
  return INSTALLER_KINDS.find((kind) => kind === extension) ?? null;
}

/**
 * Inspects an installer: detects its kind from the contents, and reads its identifier, name, version, signature, icon
 * and further properties. Only the parts of the file that hold them are read.
 * @throws InstallerError when the file is refused; the reason of the signal when it aborts; the errors of the source
 */
export async function inspectInstaller(source: ByteSource, options: InspectOptions): Promise<Installer> {
  const expected = kindFromFileName(options.fileName);
  if (!expected) throw new InstallerError("extension_unsupported", { fileName: options.fileName });
  return withTimeout(options, async (signal) => {
    const archive = await openArchive(source, { signal });
    const kind = detectKind(archive);
    if (kind !== expected) throw new InstallerError("kind_mismatch", { extension: expected, kind });
    return INSPECTORS[kind](archive, signal);
  });
}

/**
 * Reads the code signature of the executable of an `.ipa`: the entitlements that the app claims, and who signed it. An inspection
 * leaves it out because it may have to decompress the whole executable.
 * @returns null for another kind of installer, and if it is not known
 * @throws as `inspectInstaller`
 */
export async function readCodeSignature(
  source: ByteSource,
  options: Omit<InspectOptions, "fileName"> = {},
): Promise<CodeSignature | null> {
  return withTimeout(options, async (signal) => {
    const archive = await openArchive(source, { signal });
    return isIpa(archive) ? readCodeSignatureOf(archive) : null;
  });
}

/**
 * Detects the kind of an archive by the files that a device looks for.
 * @throws InstallerError if it is none
 */
export function detectKind(archive: Archive): InstallerKind {
  const { entries } = archive;
  const markers: Record<InstallerKind, boolean> = {
    ipa: isIpa(archive),
    apk: entries.has("AndroidManifest.xml"),
    aab: entries.has("BundleConfig.pb") || entries.has("base/manifest/AndroidManifest.xml"),
  };
  const kinds = INSTALLER_KINDS.filter((kind) => markers[kind]);
  if (kinds.length > 1) throw new InstallerError("installer_ambiguous");
  if (kinds[0]) return kinds[0];

  const names = [...entries.keys()].filter((name) => !name.startsWith("__MACOSX/"));
  if (names.some((name) => name.startsWith("Payload/"))) return "ipa"; // an incomplete app, for which its inspector throws the precise error
  const nested = names.find((name) => /\/Payload\/[^/]+\.app\//.test(name));
  if (nested)
    throw new InstallerError("ipa_payload_nested", { path: nested.slice(0, nested.indexOf("/Payload/") + 8) });
  const inner = names.find((name) => kindFromFileName(name) !== null);
  if (inner) throw new InstallerError("installer_nested", { name: inner });
  throw new InstallerError("not_an_installer");
}

/** Runs `inspect` with a signal that aborts on the signal of the caller or the timeout, and rejects at that moment. */
export async function withTimeout<T>(
  options: Omit<InspectOptions, "fileName">,
  inspect: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? INSPECTION_TIMEOUT_MS;
  const controller = new AbortController();
  const { signal } = controller;
  const forwardAbort = () => controller.abort(options.signal?.reason);
  const timer = setTimeout(() => {
    controller.abort(new InstallerError("inspection_timed_out", { seconds: Math.ceil(timeoutMs / 1000) }));
  }, timeoutMs);
  options.signal?.addEventListener("abort", forwardAbort);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  try {
    return await Promise.race([inspect(signal), aborted]);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", forwardAbort);
  }
}
