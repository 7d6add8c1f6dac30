import { base64, facts } from "./samples";

/** Makes certificates that no authority would make. */
export { issueCertificate } from "../src/authority/issue";

export { type LeafName, makeOcspAuthority, type OcspAuthority, type Responder } from "./ocsp-authority";

/** The name of a sample; its extension is usual for its content. */
export type SampleName = keyof typeof base64;

export const SAMPLE_NAMES = Object.keys(base64) as SampleName[];

/** The password of the encrypted samples. */
export const SAMPLE_PASSWORD = "secret";

/** The subject, issuer, serial number and end of validity of the certificates in the samples, as OpenSSL tells them. */
export const sampleFacts = facts;

/** A small certificate file that OpenSSL or keytool wrote. */
export function certificateSample(name: SampleName): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64[name], "base64"));
}
