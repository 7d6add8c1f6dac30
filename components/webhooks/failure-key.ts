const FAILURES = [
  "insecure",
  "forbidden_address",
  "unknown_host",
  "tls",
  "unreachable",
  "timeout",
  "too_large",
  "redirected",
] as const;

/** The key of the text of a failure. A newer version may have failures that this one does not know. */
export function failureKey(failure: string): `failures.${(typeof FAILURES)[number] | "other"}` {
  return `failures.${FAILURES.find((known) => known === failure) ?? "other"}`;
}
