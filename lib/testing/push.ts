import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { issueServerCertificate, makeAuthority } from "@slipway/certificates/authority";
import { decrypt } from "http_ece";
import { jwtVerify } from "jose";
import type { PushMessage } from "@/lib/kernel/push-message";

/** The subscription of a browser that does not exist. @param endpoint by default, one of a push service that does not exist */
export function aPushEndpoint(endpoint = `https://push.example/${randomBytes(16).toString("base64url")}`) {
  return aBrowser(endpoint).subscription;
}

/** A browser with the private half of its keys. */
function aBrowser(endpoint: string) {
  const privateKey = createECDH("prime256v1");
  const p256dh = privateKey.generateKeys("base64url");
  const authSecret = randomBytes(16).toString("base64url");
  return { privateKey, authSecret, subscription: { endpoint, keys: { p256dh, auth: authSecret } } };
}

/** A message that the push service got. */
export interface ReceivedPush {
  headers: IncomingHttpHeaders;
  path: string;
  /** As the browser decrypts it (RFC 8291). */
  message: PushMessage;
  /** The claims by which the console identified itself (RFC 8292), and its public key. */
  vapid: { claims: Record<string, unknown>; publicKey: string };
}

export interface PushService {
  /** Subscribes a browser. */
  subscribe(): ReturnType<typeof aPushEndpoint>;
  received: ReceivedPush[];
  /** How it answers; by default, 201. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/** DER as PEM (RFC 7468). */
export const pem = (kind: string, der: Uint8Array) =>
  `-----BEGIN ${kind}-----\n${Buffer.from(der).toString("base64")}\n-----END ${kind}-----\n`;

async function verifiedClaims(authorization = ""): Promise<ReceivedPush["vapid"]> {
  const [, token = "", publicKey = ""] = /^vapid t=([^,\s]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)].map((half) => half.toString("base64url"));
  const key = { kty: "EC", crv: "P-256", x: x as string, y: y as string };
  const { payload } = await jwtVerify(token, key, { algorithms: ["ES256"] });
  return { claims: payload, publicKey };
}

/**
 * Starts a push service with HTTPS on 127.0.0.1, whose certificate this process trusts from now on. It verifies and decrypts each message
 * as a browser would, by other libraries than those that the console sends with.
 */
export async function startPushService(): Promise<PushService> {
  const now = new Date();
  const { root, issuer } = await makeAuthority({ name: "Test", names: ["localhost"], now });
  setDefaultCACertificates([...getCACertificates("default"), pem("CERTIFICATE", root)]);
  const { certificate, privateKey } = await issueServerCertificate(issuer, ["127.0.0.1"], now);
  const cert = pem("CERTIFICATE", certificate) + pem("CERTIFICATE", issuer.certificate);
  const browsers = new Map<string, ReturnType<typeof aBrowser>>();
  const received: ReceivedPush[] = [];
  const server = createServer({ key: pem("PRIVATE KEY", privateKey), cert }, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { url: path = "", headers } = request;
    const browser = browsers.get(path);
    if (!browser) return response.writeHead(410).end();
    const { privateKey, authSecret } = browser;
    const text = decrypt(Buffer.concat(parts), { version: "aes128gcm", privateKey, authSecret });
    const vapid = await verifiedClaims(headers.authorization);
    received.push({ headers, path, vapid, message: JSON.parse(text.toString()) as PushMessage });
    service.answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const service: PushService = {
    subscribe() {
      const path = `/push/${randomBytes(16).toString("base64url")}`;
      const browser = aBrowser(`https://127.0.0.1:${port}${path}`);
      browsers.set(path, browser);
      return browser.subscription;
    },
    received,
    answer: (response) => response.writeHead(201).end(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return service;
}
