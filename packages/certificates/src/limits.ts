/** The bounds on hostile input that the package publishes. Sizes are in bytes. */

const MIB = 1024 * 1024;

/** A certificate file. */
export const MAX_FILE_BYTES = MIB;
/** Nesting of ASN.1 values. */
export const MAX_DEPTH = 64;
/** Values of one ASN.1 structure. A bundle of 150 certificates has about 15,000. */
export const MAX_NODES = 100_000;
/** ASN.1 that is parsed for one file. A part counts again if it is wrapped or encrypted. */
export const MAX_PARSED_BYTES = 6 * MIB;
/** Ciphertext that is decrypted for one file. A part counts again for each password that is tried. */
export const MAX_DECRYPTED_BYTES = 4 * MIB;
/** Iterations of all key derivations for one file. Files that NSS and GnuTLS write need 600,000 for each of three keys. */
export const MAX_ITERATIONS = 2_000_000;
/**
 * Of these, those that JavaScript runs, which cost 2 to 27 times as much as the ones in Web Crypto. NSS writes 600,000 for a
 * MAC, keytool 100,000 (Java 8 to 15) or 10,000, OpenSSL 2,048, Windows 2,000.
 */
export const MAX_SLOW_ITERATIONS = 700_000;
/** Key derivations for one file. */
export const MAX_KEY_DERIVATIONS = 64;
/** Certificates in a file. */
export const MAX_CERTIFICATES = 1_000;
/** A serial number; RFC 5280 allows 20. */
export const MAX_SERIAL_NUMBER_BYTES = 64;
/** A distinguished name, in UTF-16 code units; a longer one is cut off. */
export const MAX_NAME_LENGTH = 1_000;
