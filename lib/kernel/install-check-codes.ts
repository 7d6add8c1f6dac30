/**
 * The checks of the steps of an installation on a phone, in the order in which they are made. docs/doctor.md explains
 * each.
 */
export const INSTALL_CHECKS = [
  "dns",
  "address_public",
  "tls_chain",
  "tls_name",
  "tls_expiry",
  "tls_version",
  "clock",
  "redirects",
  "manifest_type",
  "manifest_first_byte",
  "manifest_keys",
  "manifest_urls",
  "ipa_length",
  "ipa_compression",
  "ipa_range",
  "icon_57",
  "icon_512",
  "certificate_revoked",
  "apk_type",
] as const;
export type InstallCheckCode = (typeof INSTALL_CHECKS)[number];

/** `skipped`: nothing to check, or what the console cannot know. */
export const CHECK_RESULTS = ["ok", "warning", "failure", "skipped"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** What a check finds if it is not `ok`: the keys of the advice in the messages. */
const CHECK_PROBLEMS = [
  "unknown_host",
  "private_address",
  "loopback_address",
  "not_https",
  "unreachable",
  "incomplete_chain",
  "unknown_authority",
  "own_authority",
  "not_on_apple_list",
  "authority_not_verified",
  "chain_invalid",
  "other_name",
  "expired",
  "not_yet_valid",
  "expires_soon",
  "valid_too_long",
  "old_tls",
  "clock_wrong",
  "redirected",
  "redirected_away",
  "redirected_insecurely",
  "too_many_redirects",
  "refused",
  "wrong_type",
  "wrong_first_byte",
  "slow",
  "invalid_manifest",
  "other_app",
  "wrong_urls",
  "file_refused",
  "no_length",
  "wrong_length",
  "compressed",
  "no_ranges",
  "wrong_bytes",
  "icon_refused",
  "not_png",
  "apple_png",
  "wrong_size",
  "apk_wrong_type",
  "certificate_revoked",
  "revocation_off",
  "revocation_unknown",
  "revocation_unanswered",
  "signer_unknown",
  "signer_foreign",
  "not_reached",
  "no_ipa",
  "no_apk",
] as const;
export type CheckProblem = (typeof CHECK_PROBLEMS)[number];

/** The result of one check. */
export interface InstallFinding {
  code: InstallCheckCode;
  result: CheckResult;
  /** What was found, in technical terms that are the same in all languages; empty if nothing was. */
  seen: string;
  problem: CheckProblem | null;
}

/** Whether nothing of what was checked keeps a phone from installing. */
export function findsNoFailure(findings: readonly Pick<InstallFinding, "result">[]): boolean {
  return findings.every(({ result }) => result !== "failure");
}
