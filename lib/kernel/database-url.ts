/** Encryption modes of libpq (PostgreSQL, 34.19), and `no-verify` of pg. */
const SSL_MODES = new Set(["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"]);

const FORM =
  "must be postgresql://user:password@host:port/database, with special characters of the password percent-encoded (@ as %40, # as %23, / as %2F, % as %25, a space as %20), or without the password, which DATABASE_PASSWORD takes as it is";

/**
 * What is wrong with the URL of a database, without its value; undefined if nothing is. A special character of the password that is
 * not encoded moves the borders of the URL's parts, so that a piece of the password would be looked up as a host.
 */
export function databaseUrlProblem(url: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(url)) return "must be a postgresql:// URL";
  const [address = "", query] = url.replace(/^[a-z]+:\/\//, "").split(/\?(.*)/s);
  const [authority = "", ...path] = address.split("/");
  const ats = (text: string) => text.split("@").length - 1;
  const misplaced =
    ats(authority) > 1 || ats(path.join("/")) > 0 || (path.length === 0 && ats(query ?? "") > ats(authority));
  // A host in the query (`?host=/run/postgresql`) may leave the place of the host empty.
  const parsed = URL.canParse(url.replace("@/", "@localhost/"));
  if (misplaced || !parsed || /[#\s]|%(?![\da-f]{2})/i.test(url)) return FORM;
  const mode = new URLSearchParams(query).get("sslmode");
  if (mode !== null && !SSL_MODES.has(mode)) return `sslmode must be one of ${[...SSL_MODES].join(", ")}`;
  return undefined;
}

/** The file with the authorities of a database's certificate; null if its URL names none. */
export function rootCertificateOf(url: string): string | null {
  const path = new URLSearchParams(url.split(/\?(.*)/s)[1]).get("sslrootcert");
  return path === "system" ? null : path;
}

/**
 * The URL with its parameters of TLS as pg reads them without a warning and in each of its versions: every mode that encrypts
 * verifies the certificate and its name (`verify-full`), except `verify-ca` with an authority of one's own, which leaves out the name,
 * and `no-verify`. `sslrootcert=system` is what Node.js trusts. `uselibpqcompat=true` leaves the URL as it is.
 */
export function connectionUrl(url: string): string {
  const [address, query] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  if (!query || parameters.get("uselibpqcompat") === "true") return url;
  const mode = parameters.get("sslmode");
  const authority = parameters.get("sslrootcert");
  const isSystem = authority === "system";
  if (isSystem) parameters.delete("sslrootcert");
  if (mode === "verify-ca" && authority !== null && !isSystem) parameters.set("uselibpqcompat", "true");
  else if (isSystem || (mode !== null && mode !== "disable" && mode !== "no-verify"))
    parameters.set("sslmode", "verify-full");
  else return url;
  return `${address}?${parameters}`;
}
