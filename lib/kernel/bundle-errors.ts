/** Why no APK could be made of a bundle: a program is missing, or bundletool refused the bundle or the key, or needed too much. */
export const BUNDLE_ERRORS = [
  "java_missing",
  "bundletool_missing",
  "aapt2_missing",
  "refused",
  "key",
  "time",
  "memory",
  "disk",
  "mismatch",
] as const;
export type BundleErrorCode = (typeof BUNDLE_ERRORS)[number];
