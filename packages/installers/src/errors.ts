import { plainText } from "./encoding/text";

/**
 * Everything that can be wrong with an installer, with the names of the values that its message shows.
 * Each key has a text `installerErrors.<key>` in messages/*.json that says what is wrong and what to do.
 */
export const INSTALLER_ERRORS = {
  file_empty: [],
  archive_not_zip: [],
  archive_truncated: [],
  archive_damaged: [],
  archive_multi_disk: [],
  archive_too_many_entries: ["limit"],
  archive_directory_too_large: ["limitMb"],
  archive_overlapping_entries: ["name"],
  entry_duplicate: ["name"],
  entry_unsafe_name: ["name"],
  entry_symlink: ["name"],
  entry_encrypted: ["name"],
  entry_compression_unsupported: ["name", "method"],
  entry_too_large: ["name", "limitKb"],
  entry_compression_bomb: ["name"],
  entry_damaged: ["name"],
  not_an_installer: [],
  installer_nested: ["name"],
  installer_ambiguous: [],
  extension_unsupported: ["fileName"],
  kind_mismatch: ["extension", "kind"],
  inspection_timed_out: ["seconds"],
  ipa_app_missing: [],
  ipa_payload_nested: ["path"],
  ipa_several_apps: ["names"],
  ipa_info_plist_missing: ["app"],
  ipa_info_plist_invalid: ["app"],
  ipa_value_missing: ["key"],
  profile_invalid: [],
  android_manifest_missing: ["path"],
  android_manifest_invalid: [],
  android_manifest_not_compiled: [],
  android_package_invalid: ["name"],
} as const satisfies Record<string, readonly string[]>;

/** A stable slug that says what is wrong with an installer. */
export type InstallerErrorReason = keyof typeof INSTALLER_ERRORS;

type ParamsOf<R extends InstallerErrorReason> = Record<(typeof INSTALLER_ERRORS)[R][number], string | number>;

const LONGEST_PARAM = 120;

/**
 * An installer that is refused, and why. `reason` and `params` make the text that a person reads
 * (`installerErrors.<reason>`); `message` is for developers.
 */
export class InstallerError<R extends InstallerErrorReason = InstallerErrorReason> extends Error {
  override readonly name = "InstallerError";
  readonly reason: R;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(
    reason: R,
    ...[params]: (typeof INSTALLER_ERRORS)[R] extends readonly [] ? [params?: undefined] : [params: ParamsOf<R>]
  ) {
    const shown = Object.fromEntries(
      Object.entries<string | number>(params ?? {}).map(([key, value]) => [
        key,
        typeof value === "string" ? plainText(value, LONGEST_PARAM) : value,
      ]),
    );
    super(`${reason}${params ? ` ${JSON.stringify(shown)}` : ""}`);
    this.reason = reason;
    this.params = shown;
  }
}
