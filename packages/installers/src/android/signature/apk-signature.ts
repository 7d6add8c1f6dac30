import type { Archive } from "../../archive/archive";
import type { AndroidInstaller } from "../../types";
import type { Certificate } from "./certificate";
import { hasJarSignature, readJarSignature } from "./jar-signature";
import { BLOCK_SCHEMES, readSigningBlock } from "./signing-block";

/** Who signed an APK. */
export interface ApkSignature {
  /** The schemes that are there, whether they verify or not. */
  schemes: AndroidInstaller["signatureSchemes"];
  /** Lower-case hexadecimal SHA-256 of the signing certificates; empty where the APK is unsigned or any check fails. */
  sha256: string[];
}

/** The first system that knows each scheme: Android 7, 9 and 13. */
const N = 24;
const P = 28;
/** From Android 11 on, an APK that targets it must have a newer signature than JAR signing. */
const R = 30;
/** So must, from Android 8 on, one that asks for the second security sandbox. */
const SANDBOX_2 = 2;

export interface ApkSignatureOptions {
  minSdk: number | null;
  targetSdk: number | null;
  targetSandbox: number;
  /** Contents that were read already, by name. */
  contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * Says who signed an APK by the rules of `apksigner verify`: every scheme is verified that some system from `minSdk` on
 * goes by, and the certificates are those of the newest one. Where the key was rotated with v3.1, the certificate for
 * older systems (v3) comes first and the rotated one (v3.1, Android 13 and later) second.
 */
export async function readApkSignature(archive: Archive, options: ApkSignatureOptions): Promise<ApkSignature> {
  const block = await readSigningBlock(archive);
  const minSdk = options.minSdk ?? 1;
  const [v2, v3, v31] = BLOCK_SCHEMES.map((scheme) => block.get(scheme));
  const schemes: ApkSignature["schemes"] = [...(hasJarSignature(archive) ? (["v1"] as const) : []), ...block.keys()];
  const unsigned: ApkSignature = { schemes, sha256: [] };
  const needsBlock = (options.targetSdk ?? minSdk) >= R || options.targetSandbox >= SANDBOX_2;
  if (block.size === 0 && needsBlock) return unsigned;
  if ([v3, v31].some((scheme) => scheme && !scheme.signers)) return unsigned;

  const needsV2 = v2 && (minSdk < P || block.size === 1);
  if (needsV2 && !v2.signers) return unsigned;

  let older = needsV2 ? v2.signers : null;
  if (minSdk < N || block.size === 0) {
    const blockSchemes = new Set([...(v2 ? ["2"] : []), ...(v3 || v31 ? ["3"] : [])]);
    const jar = await readJarSignature(archive, { blockSchemes, contents: options.contents });
    if (!jar) return unsigned;
    older ??= jar;
  }
  for (const scheme of [v3, v31]) {
    if (older && scheme && !beginsWithSigner(scheme.oldest, older)) return unsigned;
  }
  const newest = v3 || v31 ? [...(v3?.signers ?? []), ...(v31?.signers ?? [])] : (older ?? []);
  return { schemes, sha256: [...new Set(newest.map((certificate) => certificate.sha256))] };
}

/** Whether a v3 signer's history begins with who signed for older systems, who must then be one alone. */
function beginsWithSigner(oldest: Certificate[], older: Certificate[]): boolean {
  return older.length === 1 && oldest.some((certificate) => certificate.sha256 === older[0]?.sha256);
}
