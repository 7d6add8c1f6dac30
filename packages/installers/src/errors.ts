import { plainText } from "./encoding/text";

/** The reasons for which an installer is refused, each with the names of its parameters. */
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
  file_renamed: ["fileName", "name"],
  apk_set: ["fileName"],
  kind_mismatch: ["extension", "kind"],
  inspection_timed_out: ["seconds"],
  ipa_app_missing: [],
  ipa_payload_nested: ["path"],
  ipa_payload_name: ["name"],
  ipa_backslashes: ["name"],
  ipa_app_outside: ["path"],
  ipa_several_apps: ["names"],
  ipa_info_plist_missing: ["app"],
  ipa_info_plist_invalid: ["app"],
  ipa_value_missing: ["key"],
  value_too_long: ["what", "key", "limit"],
  details_too_large: ["limitKb"],
  profile_invalid: [],
  android_manifest_missing: ["path"],
  android_manifest_invalid: [],
  android_manifest_not_compiled: [],
  android_package_invalid: ["name"],
} as const satisfies Record<string, readonly string[]>;

/** A stable code for why an installer is refused. */
export type InstallerErrorReason = keyof typeof INSTALLER_ERRORS;

type ParamsOf<R extends InstallerErrorReason> = Record<(typeof INSTALLER_ERRORS)[R][number], string | number>;

const MAX_PARAM_LENGTH = 120;

/**
 * The refusal of an installer. The application translates `reason` and `params` for its users; `message` is for
 * developers.
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
        typeof value === "string" ? plainText(value, MAX_PARAM_LENGTH) : value,
      ]),
    );
    super(`${reason}${params ? ` ${JSON.stringify(shown)}` : ""}`);
    this.reason = reason;
    this.params = shown;
  }
}
