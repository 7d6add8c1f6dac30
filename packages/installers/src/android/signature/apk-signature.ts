import type { Archive } from "../../archive/archive";
import type { AndroidInstaller } from "../../types";
import type { Certificate } from "./certificate";
import { hasJarSignature, readJarSignature } from "./jar-signature";
import { BLOCK_SCHEMES, readSigningBlock } from "./signing-block";
import { SignatureVerifier } from "./verifier";

export interface ApkSignature {
  /** The schemes that are present, valid or not. */
  schemes: AndroidInstaller["signatureSchemes"];
  /** SHA-256 of each signing certificate in lower-case hex; empty when the APK is unsigned or a check fails. */
  sha256: string[];
  /** SHA-256 of earlier signing certificates whose installed apps this APK updates, by its proofs of rotation. */
  continued: string[];
}

/** The first API levels that verify v2 (Android 7) and v3 (Android 9). */
const V2_SDK = 24;
const V3_SDK = 28;
/** An APK with this targetSdkVersion (Android 11) needs a signature scheme newer than v1. */
const BLOCK_REQUIRED_SDK = 30;
/** So does an APK with this targetSandboxVersion (Android 8). */
const BLOCK_REQUIRED_SANDBOX = 2;

export interface ApkSignatureOptions {
  minSdk: number | null;
  targetSdk: number | null;
  targetSandbox: number;
  /** Entries that have been read already, by name. */
  contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * Reads the signature of an APK by the rules of `apksigner verify`: every scheme that a system from `minSdk` on uses is
 * verified, and the certificates are those of the newest scheme. For a key that was rotated with v3.1, the first
 * certificate is that of older systems (v3) and the second the rotated one (v3.1, Android 13 and later).
 */
export async function readApkSignature(archive: Archive, options: ApkSignatureOptions): Promise<ApkSignature> {
  const verifier = new SignatureVerifier();
  const block = await readSigningBlock(archive, verifier);
  const minSdk = options.minSdk ?? 1;
  const [v2, v3, v31] = BLOCK_SCHEMES.map((scheme) => block.get(scheme));
  const schemes: ApkSignature["schemes"] = [...(hasJarSignature(archive) ? (["v1"] as const) : []), ...block.keys()];
  const unsigned: ApkSignature = { schemes, sha256: [], continued: [] };
  const needsBlock =
    (options.targetSdk ?? minSdk) >= BLOCK_REQUIRED_SDK || options.targetSandbox >= BLOCK_REQUIRED_SANDBOX;
  if (block.size === 0 && needsBlock) return unsigned;
  if ([v3, v31].some((scheme) => scheme && !scheme.signers)) return unsigned;

  const needsV2 = v2 && (minSdk < V3_SDK || block.size === 1);
  if (needsV2 && !v2.signers) return unsigned;

  let older = needsV2 ? v2.signers : null;
  if (minSdk < V2_SDK || block.size === 0) {
    const blockSchemes = new Set([...(v2 ? ["2"] : []), ...(v3 || v31 ? ["3"] : [])]);
    const jar = await readJarSignature(archive, { blockSchemes, contents: options.contents, verifier });
    if (!jar) return unsigned;
    older ??= jar;
  }
  for (const scheme of [v3, v31]) {
    if (older && scheme && !lineageStartsWith(scheme.oldest, older)) return unsigned;
  }
  const newest = v3 || v31 ? [...(v3?.signers ?? []), ...(v31?.signers ?? [])] : (older ?? []);
  return {
    schemes,
    sha256: [...new Set(newest.map((certificate) => certificate.sha256))],
    continued: [...new Set([v3, v31].flatMap((scheme) => scheme?.continued ?? []))],
  };
}

/** Whether the lineage of v3 starts with the only signer for older systems. */
function lineageStartsWith(oldest: Certificate[], older: Certificate[]): boolean {
  return older.length === 1 && oldest.some((certificate) => certificate.sha256 === older[0]?.sha256);
}
