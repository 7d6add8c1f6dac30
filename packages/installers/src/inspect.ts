import { inspectAab } from "./android/aab";
import { inspectApk } from "./android/apk";
import type { ToPng } from "./android/icon/drawable";
import { type Archive, openArchive } from "./archive/archive";
import { InstallerError } from "./errors";
import { fileNameError, kindFromFileName } from "./file-names";
import { browserToPng } from "./image/browser-image";
import type { CodeSignature } from "./ios/code-signature";
import { inspectIpa, isIpa, readCodeSignatureOf } from "./ios/ipa";
import { INSPECTION_TIMEOUT_MS, MAX_SYSTEM_LENGTH, MAX_VERSION_LENGTH } from "./limits";
import type { ByteSource } from "./source";
import { INSTALLER_KINDS, type Installer, type InstallerKind } from "./types";

export interface InspectOptions {
  /** The name of the file. Its extension must match the contents. */
  fileName: string;
  /** Aborts the inspection with the reason of the signal. */
  signal?: AbortSignal;
  /** Converts WebP and JPEG layers of icons to PNG; by default by the browser, where there is one. */
  toPng?: ToPng;
  /** Milliseconds; the default is 20,000. */
  timeoutMs?: number;
}

const INSPECTORS: Record<InstallerKind, (archive: Archive, signal: AbortSignal, toPng?: ToPng) => Promise<Installer>> =
  {
    ipa: inspectIpa,
    apk: inspectApk,
    aab: inspectAab,
  };

/**
 * Inspects an installer: detects its kind from the contents, and reads its identifier, name, version, signature, icon
 * and further properties. Only the parts of the file that hold them are read.
 * @throws InstallerError when the file is refused; the reason of the signal when it aborts; the errors of the source
 */
export async function inspectInstaller(source: ByteSource, options: InspectOptions): Promise<Installer> {
  const expected = kindFromFileName(options.fileName);
  if (!expected) throw fileNameError(options.fileName);
  return withTimeout(options, async (signal) => {
    const archive = await openArchive(source, { signal });
    const kind = detectKind(archive);
    if (kind !== expected) throw new InstallerError("kind_mismatch", { extension: expected, kind });
    return keepable(await INSPECTORS[kind](archive, signal, options.toPng ?? browserToPng));
  });
}

/** The names of the values that are limited, in the manifest of each kind. */
const LIMITED = {
  ipa: { version: "CFBundleShortVersionString", buildNumber: "CFBundleVersion", minOs: "MinimumOSVersion" },
  apk: { version: "android:versionName", buildNumber: "android:versionCode", minOs: "android:minSdkVersion" },
  aab: { version: "android:versionName", buildNumber: "android:versionCode", minOs: "android:minSdkVersion" },
} as const;

/** @throws InstallerError value_too_long */
function keepable(installer: Installer): Installer {
  for (const what of ["version", "buildNumber", "minOs"] as const) {
    const limit = what === "minOs" ? MAX_SYSTEM_LENGTH : MAX_VERSION_LENGTH;
    if ((installer[what]?.length ?? 0) > limit)
      throw new InstallerError("value_too_long", { what, key: LIMITED[installer.kind][what], limit });
  }
  return installer;
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
  // Android reads as many entries as are counted.
  if (archive.isCountedModulo && kinds[0] !== "ipa") throw new InstallerError("archive_damaged");
  if (kinds[0]) return kinds[0];

  const names = [...entries.keys()].filter((name) => !name.startsWith("__MACOSX/"));
  if (names.some((name) => name.startsWith("Payload/"))) return "ipa"; // an incomplete app, for which its inspector throws the precise error
  const nested = names.find((name) => /\/Payload\/[^/]+\.app\//.test(name));
  if (nested)
    throw new InstallerError("ipa_payload_nested", { path: nested.slice(0, nested.indexOf("/Payload/") + 8) });
  throw misplacedApp(names) ?? noInstaller(names);
}

/** The refusal of an archive with an iOS app that is not where devices look for it; null if there is none. */
function misplacedApp(names: readonly string[]): InstallerError | null {
  const backslashes = names.find((name) => /^(?:[^\\]+\\)*Payload\\[^\\]+\.app\\/i.test(name));
  if (backslashes) return new InstallerError("ipa_backslashes", { name: backslashes });
  const app = names.map((name) => /^(.*\.app)\/Info\.plist$/i.exec(name)?.[1]).find((path) => path !== undefined);
  if (app === undefined) return null;
  const [folder = ""] = app.split("/");
  if (/^payload\s*$/i.test(folder)) return new InstallerError("ipa_payload_name", { name: folder });
  return new InstallerError("ipa_app_outside", { path: app });
}

function noInstaller(names: readonly string[]): InstallerError {
  const inner = names.find((name) => kindFromFileName(name) !== null);
  return inner ? new InstallerError("installer_nested", { name: inner }) : new InstallerError("not_an_installer");
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
