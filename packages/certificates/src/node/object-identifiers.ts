/** The object identifiers of CMS (RFC 5652, section 11) and of its digests (RFC 5754). */
export const SIGNED_DATA = "1.2.840.113549.1.7.2";
export const DATA = "1.2.840.113549.1.7.1";
export const CONTENT_TYPE = "1.2.840.113549.1.9.3";
export const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";

/** iPhones sign with SHA-1 up to today. */
export const DIGESTS = {
  sha1: "1.3.14.3.2.26",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
} as const;

/** The algorithms of signatures, each with the type of the key; those that name a digest must name the signer's. */
export const SIGNATURES: Readonly<Record<string, { key: "rsa" | "ec"; digest?: keyof typeof DIGESTS }>> = {
  "1.2.840.113549.1.1.1": { key: "rsa" },
  "1.2.840.113549.1.1.5": { key: "rsa", digest: "sha1" },
  "1.2.840.113549.1.1.11": { key: "rsa", digest: "sha256" },
  "1.2.840.113549.1.1.12": { key: "rsa", digest: "sha384" },
  "1.2.840.113549.1.1.13": { key: "rsa", digest: "sha512" },
  "1.2.840.10045.2.1": { key: "ec" },
  "1.2.840.10045.4.1": { key: "ec", digest: "sha1" },
  "1.2.840.10045.4.3.2": { key: "ec", digest: "sha256" },
  "1.2.840.10045.4.3.3": { key: "ec", digest: "sha384" },
  "1.2.840.10045.4.3.4": { key: "ec", digest: "sha512" },
};
