import "server-only";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { BundleErrorCode } from "@/lib/kernel/bundle-errors";
import { env } from "@/lib/kernel/env";
import { runLimited } from "./limited-process";
import type { SigningKey } from "./signing";
import type { BundleTools } from "./tools";

/** What one bundle may take. */
export interface BundleLimits {
  seconds: number;
  /** Of Java's heap, in MiB. */
  memoryMb: number;
}

export function defaultLimits(): BundleLimits {
  return { seconds: env.BUNDLE_SECONDS, memoryMb: env.BUNDLE_MEMORY_MB };
}

/** bundletool made no APK. */
export class BundleError extends Error {
  constructor(
    readonly code: BundleErrorCode,
    /** What bundletool said; empty if it said nothing of use. */
    readonly detail: string = "",
  ) {
    super(`${code}: ${detail}`);
    this.name = "BundleError";
  }
}

const MAX_DETAIL = 500;
/** The memory of the process beyond Java's heap, and of aapt2. */
const BEYOND_HEAP_BYTES = 512 * 1024 ** 2;

/** The line in which bundletool says why it failed, without the paths of this machine. */
function reasonOf(output: string, folder: string): string {
  const line = /^(?:\[BT:[\d.]+\] )?Error: (.*)$/m.exec(output)?.[1] ?? "";
  return line.replaceAll(`${folder}/`, "").replaceAll(folder, "").slice(0, MAX_DETAIL);
}

const KEY_PROBLEMS =
  /keystore password|key password|No key found with alias|key associated with alias|keystore was tampered|toDerInputStream|Keystore/i;

function errorOf(output: string, folder: string): BundleError {
  if (/OutOfMemoryError|Java heap space/.test(output)) return new BundleError("memory");
  if (/No space left on device/.test(output)) return new BundleError("disk");
  const reason = reasonOf(output, folder);
  return new BundleError(KEY_PROBLEMS.test(reason) ? "key" : "refused", reason);
}

/** Where bundletool reads a password: it fails on a file without one. */
const passwordFrom = (password: string, path: string) => (password === "" ? "pass:" : `file:${path}`);

/**
 * Runs bundletool's `build-apks` within limits of time, memory and disk.
 * @param options.folder in which it works, and which has the bundle
 * @param options.output a file for a set of APKs, or a folder
 * @param options.more further arguments
 * @throws BundleError
 */
export async function buildApks(
  tools: BundleTools,
  key: SigningKey,
  options: {
    bundle: string;
    bundleBytes: number;
    output: string;
    folder: string;
    more: readonly string[];
    limits: BundleLimits;
    signal: AbortSignal;
  },
): Promise<void> {
  const { bundle, bundleBytes, output, folder, more, limits, signal } = options;
  const secrets = {
    keystore: join(folder, "key.p12"),
    password: join(folder, "key.1"),
    keyPassword: join(folder, "key.2"),
  };
  await Promise.all([
    writeFile(secrets.keystore, key.keystore, { mode: 0o600 }),
    writeFile(secrets.password, key.password, { mode: 0o600 }),
    writeFile(secrets.keyPassword, key.keyPassword, { mode: 0o600 }),
  ]);
  const memory = limits.memoryMb;
  const java = [`-Xmx${memory}m`, "-XX:+UseSerialGC", `-Djava.io.tmpdir=${folder}`, "-cp", tools.jars.join(delimiter)];
  const end = await runLimited(
    tools.java,
    [
      ...java,
      ...[
        "com.android.tools.build.bundletool.BundleToolMain",
        "build-apks",
        `--bundle=${bundle}`,
        `--output=${output}`,
      ],
      ...[
        `--ks=${secrets.keystore}`,
        `--ks-pass=${passwordFrom(key.password, secrets.password)}`,
        `--ks-key-alias=${key.alias}`,
      ],
      ...[`--key-pass=${passwordFrom(key.keyPassword, secrets.keyPassword)}`, `--aapt2=${tools.aapt2}`, ...more],
    ],
    {
      folder,
      signal,
      limits: {
        timeoutMs: limits.seconds * 1_000,
        memoryBytes: memory * 1024 ** 2 + BEYOND_HEAP_BYTES,
        // The bundle itself, its unpacked resources, and the APK twice.
        diskBytes: bundleBytes * 6 + 512 * 1024 ** 2,
      },
    },
  );
  if (end.exceeded) throw new BundleError(end.exceeded);
  if (end.code !== 0) throw errorOf(end.output, folder);
}
