import { bytesEqual } from "../encoding/bytes";
import { childrenOf, DER_TAG, type DerValue, objectIdentifierOf, parseDer, sequenceOf } from "../encoding/der";
import { MAX_CERTIFICATE_BYTES, MAX_CHAIN_CERTIFICATES } from "../limits";

const SIGNED_DATA = "1.2.840.113549.1.7.2";
/** `[0]`: the certificates of a SignedData, and the version of a certificate. */
const CONTEXT_0 = 0x80;

interface Certificate {
  encoded: Uint8Array;
  serialNumber: Uint8Array;
  issuer: Uint8Array;
  subject: Uint8Array;
}

function certificateOf(value: DerValue): Certificate | null {
  const [tbs] = sequenceOf(value);
  const fields = sequenceOf(tbs);
  // serialNumber, signature, issuer, validity, subject
  const [serialNumber, , issuer, , subject] = fields[0]?.tag === CONTEXT_0 ? fields.slice(1) : fields;
  if (!serialNumber || !issuer || !subject || value.encoded.length > MAX_CERTIFICATE_BYTES) return null;
  const { encoded } = value;
  return { encoded, serialNumber: serialNumber.encoded, issuer: issuer.encoded, subject: subject.encoded };
}

/**
 * The certificate that signed a CMS SignedData (RFC 5652) of one signer and those of its authorities, DER, as far as they are in it. They
 * are found by their names; no signature is verified.
 * @returns an empty list if the certificate of the signer is not in it
 */
export function signerChain(cms: Uint8Array): Uint8Array[] {
  const [type, content] = sequenceOf(parseDer(cms));
  const signedData = sequenceOf(childrenOf(content)[0]);
  const signerInfos = signedData.at(-1);
  const [signer] = signerInfos?.tag === DER_TAG.set ? childrenOf(signerInfos) : [];
  if (objectIdentifierOf(type) !== SIGNED_DATA || !signer) return [];
  const [issuer, serialNumber] = sequenceOf(sequenceOf(signer)[1]);
  const certificates = childrenOf(signedData.find(({ tag }) => tag === CONTEXT_0))
    .map(certificateOf)
    .filter((certificate) => certificate !== null);
  let current = certificates.find(
    (one) =>
      issuer &&
      serialNumber &&
      bytesEqual(one.issuer, issuer.encoded) &&
      bytesEqual(one.serialNumber, serialNumber.encoded),
  );
  const chain: Uint8Array[] = [];
  while (current && chain.length < MAX_CHAIN_CERTIFICATES) {
    const { encoded, issuer: name, subject }: Certificate = current;
    chain.push(encoded.slice());
    if (bytesEqual(name, subject)) break;
    current = certificates.find((one) => bytesEqual(one.subject, name));
  }
  return chain;
}
