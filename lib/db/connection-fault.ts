/** Node's codes of a certificate or a TLS connection that is refused. */
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;
const VALIDITY_CODES = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
/** What pg says of a server that answers no to the request for TLS. */
const NO_TLS = "The server does not support SSL connections";

/** Where the settings of a database with TLS are explained. */
const PAGE = "docs/operations/managed-database.md";

/**
 * What keeps a connection to the database from being encrypted, and the way out; undefined for any other error. Nothing of it heals
 * by waiting.
 */
export function tlsFaultOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === NO_TLS) return `the database offers no TLS, which sslmode demands (${PAGE})`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !TLS_CODES.test(code)) return undefined;
  if (VALIDITY_CODES.has(code)) {
    return `the certificate of the database is not valid at the time of this machine (${code}): renew it, or correct the clock`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `the certificate of the database is for another name (${code}): connect to the name in it, or use sslmode=verify-ca with sslrootcert=<file> (${PAGE})`;
  }
  if (/^ERR_SSL_|^ERR_TLS_/.test(code)) return `the database and this machine agree on no TLS (${code})`;
  return `the certificate of the database is of an authority that this machine does not trust (${code}): add sslmode=verify-full&sslrootcert=<file with the authority's certificate> (${PAGE})`;
}
