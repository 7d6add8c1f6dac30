import { constants, createCipheriv, createHash, createPublicKey, publicEncrypt, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { isIP } from "node:net";
import { buffer } from "node:stream/consumers";
import { zipOf } from "./zip";

/** Longer than Caddy holds a request. */
const REQUEST_TIMEOUT_MS = 120_000;

/** The deployment that is checked, reached at a port of this machine under the names that it has in the certificate. */
export interface Target {
  domain: string;
  httpsPort: number;
  /** The certificate of the authority that the check created, in PEM. */
  authority: string;
  admin: { email: string; password: string };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: the check reads single fields of many answers
  json: any;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** The bundle identifier of the application that the check creates. */
export const IDENTIFIER = "test.slipway.deployment";

export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");

/** An iOS application of a given size with random content. */
export function anIpa(size: number): Buffer {
  const entry = (key: string, value: string) => `<key>${key}</key><string>${value}</string>`;
  const info = `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${[
    entry("CFBundleIdentifier", IDENTIFIER),
    entry("CFBundleName", "Check"),
    entry("CFBundleExecutable", "Check"),
    entry("CFBundleShortVersionString", "1.0"),
    entry("CFBundleVersion", "1"),
    entry("MinimumOSVersion", "15.0"),
    entry("CFBundlePackageType", "APPL"),
  ].join("")}</dict></plist>`;
  return zipOf({ "Payload/Check.app/Info.plist": Buffer.from(info), "Payload/Check.app/Check": randomBytes(size) });
}

/** A client with a session of its own. */
export class Client {
  readonly origin: string;
  readonly #target: Target;
  readonly #agent: Agent;
  readonly #cookies = new Map<string, string>();

  constructor(target: Target) {
    this.#target = target;
    this.origin = `https://${target.domain}`;
    this.#agent = new Agent({ keepAlive: true, ca: target.authority, maxSockets: 32 });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends a request to an address of the deployment. @throws Error if no complete answer arrives */
  async send(address: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
    const url = new URL(address);
    const sent = request({
      agent: this.#agent,
      host: "127.0.0.1",
      port: this.#target.httpsPort,
      servername: isIP(url.hostname) ? "" : url.hostname,
      path: url.pathname + url.search,
      method,
      headers: {
        host: url.host,
        ...headers,
        ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
      },
      timeout: REQUEST_TIMEOUT_MS,
    });
    sent.once("timeout", () => sent.destroy(new Error(`no answer for ${REQUEST_TIMEOUT_MS / 1_000} s`)));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once("response", resolve);
      sent.once("error", reject);
    });
    sent.end(body);
    const answer = await answered;
    const bytes = await buffer(answer);
    let json: unknown;
    try {
      json = JSON.parse(bytes.toString("utf8"));
    } catch {
      json = undefined;
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, bytes, json };
  }

  /** Opens a page of the console. */
  page(path: string): Promise<Answer> {
    return this.#own(path, {});
  }

  get(operation: string, query: Record<string, string> = {}): Promise<Answer> {
    const search = new URLSearchParams(query).toString();
    return this.#own(`/api/${operation}${search && `?${search}`}`, {});
  }

  post(operation: string, body: unknown = {}): Promise<Answer> {
    const headers = { "content-type": "application/json" };
    return this.#own(`/api/${operation}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #own(path: string, { headers, ...sent }: Sent): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.send(this.origin + path, {
      ...sent,
      headers: { origin: this.origin, "accept-language": "en", ...(cookie && { cookie }), ...headers },
    });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";");
      const equals = pair.indexOf("=");
      this.#cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return answer;
  }

  /** Encrypts a password for the console (JWE, RFC 7516). */
  async sealPassword(password: string): Promise<string> {
    const { json } = await this.get("config/get-public-key");
    const jwk = json.keys.find((key: { use: string }) => key.use === "enc");
    const header = base64url(JSON.stringify({ alg: "RSA-OAEP-256", enc: "A256GCM", kid: jwk.kid }));
    const [key, iv] = [randomBytes(32), randomBytes(12)];
    const publicKey = createPublicKey({ key: jwk, format: "jwk" });
    const wrapped = publicEncrypt(
      { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
      key,
    );
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(header));
    const sealed = Buffer.concat([cipher.update(JSON.stringify({ password, nonce: json.nonce })), cipher.final()]);
    return [header, ...[wrapped, iv, sealed, cipher.getAuthTag()].map(base64url)].join(".");
  }

  /** Signs in with a password; by default, as the first administrator. @throws Error */
  async signIn({ email, password } = this.#target.admin): Promise<void> {
    await this.must("auth/email-login", { email, password: await this.sealPassword(password) });
  }

  /** Calls an operation that has to succeed. @returns the body of the answer @throws Error */
  // biome-ignore lint/suspicious/noExplicitAny: the check reads single fields of many answers
  async must(operation: string, body: unknown = {}): Promise<any> {
    const answer = await this.post(operation, body);
    if (answer.status >= 300) throw new Error(`${operation}: ${answer.status} ${answer.bytes}`);
    return answer.json;
  }

  /** Returns the IDs of the application and environment that the check uses; creates them if necessary. */
  async place(): Promise<{ appId: string; environmentId: string }> {
    const apps = (await this.get("apps/get-apps")).json.items as { id: string; identifier: string }[];
    const app =
      apps.find(({ identifier }) => identifier === IDENTIFIER) ??
      (await this.must("apps/create-app", { name: "Check", identifier: IDENTIFIER, status: "active" }));
    const found = (await this.get("apps/get-environments-apps-by-app", { appIds: app.id })).json.items?.[0];
    const environment =
      found?.environments?.[0] ??
      (await this.post("apps/create-environment-app", { appId: app.id, name: "staging", status: "active" })).json;
    return { appId: app.id, environmentId: environment.id };
  }

  /**
   * Uploads in parts, as the console's pages do.
   * @returns the answer that completes the upload, the addresses that parts were sent to, and whether the store allows it to pages
   */
  async uploadInParts(
    bytes: Buffer,
    name = "check.ipa",
  ): Promise<Answer & { uploadId: string; stores: string[]; allowed: boolean }> {
    const created = await this.post("files/create-upload", { name, size: bytes.length });
    if (!created.json?.parts) return { ...created, uploadId: "", stores: [], allowed: false };
    const { parts, partSize, uploadId } = created.json as {
      parts: { number: number; url: string }[];
      partSize: number;
      uploadId: string;
    };
    const sent = [];
    let allowed = true;
    for (const { number, url } of parts) {
      const body = bytes.subarray((number - 1) * partSize, number * partSize);
      const answer = await this.send(url, { method: "PUT", headers: { origin: this.origin }, body });
      if (answer.status !== 200) return { ...answer, uploadId, stores: [], allowed };
      allowed &&= answer.headers["access-control-allow-origin"] === this.origin;
      sent.push({ number, etag: answer.headers.etag });
    }
    const done = await this.post("files/complete-upload", { uploadId, parts: sent });
    return { ...done, uploadId, stores: [...new Set(parts.map(({ url }) => new URL(url).origin))], allowed };
  }
}
