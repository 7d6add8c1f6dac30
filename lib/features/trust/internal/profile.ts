import type { X509Certificate } from "node:crypto";
import { build } from "plist";
import { v5 as uuidV5 } from "uuid";

/** A configuration profile that installs the certificate of an authority (Apple, "Configuration Profile Reference"). */
export function trustProfile(authority: X509Certificate, texts: { name: string; description: string }): string {
  // The same for the same authority, so that a second installation replaces the first.
  const uuid = (part: string) => uuidV5(`urn:slipway:${part}:${authority.fingerprint256}`, uuidV5.URL).toUpperCase();
  const identifier = `slipway.trust.${authority.fingerprint256.replaceAll(":", "").slice(0, 16).toLowerCase()}`;
  return build({
    PayloadContent: [
      {
        PayloadType: "com.apple.security.root",
        PayloadVersion: 1,
        PayloadIdentifier: `${identifier}.certificate`,
        PayloadUUID: uuid("certificate"),
        PayloadDisplayName: texts.name,
        PayloadCertificateFileName: "slipway.crt",
        PayloadContent: new Uint8Array(authority.raw),
      },
    ],
    PayloadType: "Configuration",
    PayloadVersion: 1,
    PayloadIdentifier: identifier,
    PayloadUUID: uuid("profile"),
    PayloadDisplayName: texts.name,
    PayloadDescription: texts.description,
    PayloadRemovalDisallowed: false,
  });
}
