import { createHash, createPrivateKey, sign, X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/asn1-x509";
import {
  type AsnType,
  Constructed,
  fromBER,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as SetOf,
} from "asn1js";
import { extension, type Identity, issueCertificate } from "../authority/issue";
import { DAY_MS } from "../time";
import { CONTENT_TYPE, DATA, DIGESTS, MESSAGE_DIGEST, SIGNED_DATA } from "./object-identifiers";
import { readSignerIds } from "./verify";

const RSA = "1.2.840.113549.1.1.1";

/** Makes a key and a self-signed certificate with which documents are signed. */
export function issueSigner({ name, days, now }: { name: string; days: number; now: Date }): Promise<Identity> {
  const seconds = Math.floor(now.getTime() / 1000) * 1000;
  return issueCertificate({
    commonName: name,
    // Begins a day early, since clocks of devices may be behind.
    notBefore: new Date(seconds - DAY_MS),
    notAfter: new Date(seconds + days * DAY_MS),
    algorithm: "RSA",
    extensions: [
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), { critical: true }),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), { critical: true }),
    ],
  });
}

const oid = (value: string) => new ObjectIdentifier({ value });
const octets = (bytes: Uint8Array) => new OctetString({ valueHex: Uint8Array.from(bytes).buffer });
const context = (tagNumber: number, value: AsnType[]) =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber }, value });
const algorithm = (value: string) => new Sequence({ value: [oid(value), new Null()] });
const attribute = (type: string, value: AsnType) => new Sequence({ value: [oid(type), new SetOf({ value: [value] })] });

/** The values of a SET OF in the order of DER. */
function inOrder(values: AsnType[]): AsnType[] {
  return values
    .map((value) => ({ value, der: Buffer.from(value.toBER()) }))
    .sort((a, b) => Buffer.compare(a.der, b.der))
    .map(({ value }) => value);
}

/**
 * Signs a document as CMS with the document and the certificate in it (RFC 5652, SignedData), as configuration profiles of Apple are
 * signed.
 * @param signer with an RSA key
 */
export function signCms(content: Uint8Array, signer: Identity): Uint8Array<ArrayBuffer> {
  const attributes = inOrder([
    attribute(CONTENT_TYPE, oid(DATA)),
    attribute(MESSAGE_DIGEST, octets(createHash("sha256").update(content).digest())),
  ]);
  const key = createPrivateKey({ key: Buffer.from(signer.privateKey), format: "der", type: "pkcs8" });
  const signature = sign("sha256", Buffer.from(new SetOf({ value: attributes }).toBER()), key);
  const { issuer, serialNumber } = readSignerIds(new X509Certificate(signer.certificate).raw);
  const signerInfo = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Sequence({ value: [fromBER(issuer).result, fromBER(serialNumber).result] }),
      algorithm(DIGESTS.sha256),
      context(0, attributes),
      algorithm(RSA),
      octets(signature),
    ],
  });
  const signedData = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new SetOf({ value: [algorithm(DIGESTS.sha256)] }),
      new Sequence({ value: [oid(DATA), context(0, [octets(content)])] }),
      context(0, [fromBER(signer.certificate).result]),
      new SetOf({ value: [signerInfo] }),
    ],
  });
  return new Uint8Array(new Sequence({ value: [oid(SIGNED_DATA), context(0, [signedData])] }).toBER());
}
