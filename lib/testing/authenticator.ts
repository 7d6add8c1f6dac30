import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** The values of a ceremony besides the options of the browser. A test overrides those that the console must reject. */
interface Ceremony {
  /** The origin that the browser reports. */
  origin: string;
  /** By default, the one in the options. */
  rpId?: string;
  /** Whether a fingerprint, face or PIN was verified; true by default. */
  userVerified?: boolean;
  userPresent?: boolean;
  /** Whether the page is in a frame of another site. */
  crossOrigin?: boolean;
  /** By default, the one in the options. */
  challenge?: string;
  /** By default, the type of the ceremony. */
  type?: string;
}

/** The values for creating a credential. */
interface Creation extends Ceremony {
  algorithm?: keyof typeof KEYS;
  /** By default, none. */
  attestation?: Attestation;
}

/** An attestation format, and a function that creates its statement for a credential. */
export interface Attestation {
  format: string;
  statement: (credential: {
    authData: Buffer;
    clientDataHash: Buffer;
    rpIdHash: Buffer;
    credentialId: Buffer;
    /** The public key as JWK (RFC 7517). */
    jwk: JsonWebKey;
    privateKey: KeyObject;
  }) => Map<string, Cbor>;
}

/** The values for signing with a credential. */
interface Use extends Ceremony {
  /** By default, the next value of the authenticator's counter. */
  counter?: number;
  /** By default, that of the credential; null omits it. */
  userHandle?: string | null;
}

/** A credential in the authenticator. */
export interface Credential {
  id: Buffer;
  userHandle: string;
  privateKey: KeyObject;
  algorithm: keyof typeof KEYS;
  counter: number;
}

/** A value that {@link cbor} can encode. */
export type Cbor = number | string | Buffer | readonly Cbor[] | Map<number | string, Cbor>;

/** Encodes integers, texts, bytes, arrays and maps as CBOR (RFC 8949). */
function cbor(value: Cbor): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    if (length < 0x100) return Buffer.from([(major << 5) | 24, length]);
    return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
  };
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
    return Buffer.concat([head(5, value.size), ...entries]);
  }
  return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
}

const bytesOf = (base64url: string | undefined) => Buffer.from(base64url as string, "base64url");
const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();

/** Key types by their COSE names: how to generate a key pair, and the public key as a COSE key (RFC 9053). */
const KEYS = {
  ES256: {
    make: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
    hash: "sha256",
    cose: ({ x, y }: JsonWebKey) => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ],
  },
  ES384: {
    make: () => generateKeyPairSync("ec", { namedCurve: "P-384" }),
    hash: "sha384",
    cose: ({ x, y }: JsonWebKey) => [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ],
  },
  EdDSA: {
    make: () => generateKeyPairSync("ed25519"),
    hash: null,
    cose: ({ x }: JsonWebKey) => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytesOf(x)],
    ],
  },
  RS256: {
    make: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
    hash: "sha256",
    cose: ({ n, e }: JsonWebKey) => [
      [1, 3],
      [3, -257],
      [-1, bytesOf(n)],
      [-2, bytesOf(e)],
    ],
  },
} as const satisfies Record<
  string,
  {
    make: () => { publicKey: KeyObject; privateKey: KeyObject };
    hash: string | null;
    cose: (jwk: JsonWebKey) => readonly (readonly [number, number | Buffer])[];
  }
>;

/** The result of `navigator.credentials`, in JSON form (WebAuthn Level 3, 5.1). */
interface CredentialJson<R> {
  id: string;
  rawId: string;
  type: string;
  response: R & { clientDataJSON: string };
  clientExtensionResults: object;
}

const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/**
 * A software authenticator with the browser's part: creates real keys, signatures and the structures of WebAuthn Level 3 (6.1,
 * 6.5), and returns the results of `navigator.credentials` in JSON form.
 */
export class SoftwareAuthenticator {
  readonly credentials: Credential[] = [];

  /** @param options.counts false to leave the counter at 0, as synchronized passkeys do */
  constructor(private readonly options: { counts?: boolean; backedUp?: boolean } = {}) {}

  /** Creates a credential, like `navigator.credentials.create()`. */
  create(
    options: { challenge: string; rp: { id: string }; user: { id: string } },
    ceremony: Creation,
  ): CredentialJson<{ attestationObject: string; transports: string[] }> {
    const algorithm = ceremony.algorithm ?? "ES256";
    const { publicKey, privateKey } = KEYS[algorithm].make();
    const credential: Credential = {
      id: randomBytes(32),
      userHandle: options.user.id,
      privateKey,
      algorithm,
      counter: this.options.counts === false ? 0 : 1,
    };
    this.credentials.push(credential);
    const jwk = publicKey.export({ format: "jwk" });
    const coseKey = cbor(new Map<number, Cbor>(KEYS[algorithm].cose(jwk)));
    const idLength = Buffer.from([0, credential.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), idLength, credential.id, coseKey]);
    const authData = this.#authenticatorData(options.rp.id, ceremony, credential.counter, attested);
    const clientData = this.#clientData("webauthn.create", options.challenge, ceremony);
    const clientDataHash = sha256(clientData);
    const rpIdHash = sha256(ceremony.rpId ?? options.rp.id);
    const { format, statement } = ceremony.attestation ?? { format: "none", statement: () => new Map<string, Cbor>() };
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ["fmt", format],
        ["attStmt", statement({ authData, clientDataHash, rpIdHash, credentialId: credential.id, jwk, privateKey })],
        ["authData", authData],
      ]),
    );
    return {
      ...this.#base(credential),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal", "hybrid"],
      },
    };
  }

  /** Signs with a credential (by default, the last one), like `navigator.credentials.get()`. */
  get(
    options: { challenge: string; rpId: string },
    ceremony: Use,
    credential: Credential = this.credentials.at(-1) as Credential,
  ): CredentialJson<{ authenticatorData: string; signature: string; userHandle?: string }> {
    if (this.options.counts !== false) credential.counter += 1;
    const authData = this.#authenticatorData(options.rpId, ceremony, ceremony.counter ?? credential.counter);
    const clientData = this.#clientData("webauthn.get", options.challenge, ceremony);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const signature = sign(KEYS[credential.algorithm].hash, signed, credential.privateKey);
    const userHandle = ceremony.userHandle === undefined ? credential.userHandle : ceremony.userHandle;
    return {
      ...this.#base(credential),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
        ...(userHandle !== null && { userHandle }),
      },
    };
  }

  #base({ id }: Credential) {
    const text = id.toString("base64url");
    return { id: text, rawId: text, type: "public-key", clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, ceremony: Ceremony): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: ceremony.type ?? type,
        challenge: ceremony.challenge ?? challenge,
        origin: ceremony.origin,
        crossOrigin: ceremony.crossOrigin ?? false,
      }),
    );
  }

  #authenticatorData(rpId: string, ceremony: Ceremony, counter: number, attested?: Buffer): Buffer {
    let flags = FLAGS.backupEligible;
    if (ceremony.userPresent !== false) flags |= FLAGS.userPresent;
    if (ceremony.userVerified !== false) flags |= FLAGS.userVerified;
    if (this.options.backedUp) flags |= FLAGS.backedUp;
    if (attested) flags |= FLAGS.attested;
    const fixed = Buffer.alloc(5);
    fixed.writeUInt8(flags, 0);
    fixed.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(ceremony.rpId ?? rpId), fixed, attested ?? Buffer.alloc(0)]);
  }
}
