import "server-only";
import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import { OutboundError, outboundFetch } from "@/lib/http/outbound";
import { env } from "@/lib/kernel/env";

/** Apple takes tokens of up to 20 minutes. */
const TOKEN_LIFETIME = "10m";
const TOKEN_REUSE_MS = 8 * 60_000;
/** The most devices of one answer. */
const PAGE = 200;
/** A team has at most a few hundred devices of each kind. */
const MAX_PAGES = 20;
/** The longest sentence of Apple's that is kept, in UTF-16 code units. */
const MAX_DETAIL = 300;
/** The longest name that Apple takes. */
const MAX_NAME = 50;

/**
 * Why Apple did not do what was asked:
 * `unauthorized` the key is not one of Apple's, or was revoked · `forbidden` its role does not suffice, an agreement is missing, or a limit is
 * reached · `rate_limited` · `refused` the request · `unreachable` no answer, or a failure at Apple · `unexpected` an answer that is none.
 */
export type AppStoreFailure = "unauthorized" | "forbidden" | "rate_limited" | "refused" | "unreachable" | "unexpected";

/** A request to App Store Connect that failed. */
export class AppStoreError extends Error {
  /** @param detail in Apple's words, without UDIDs */
  constructor(
    readonly failure: AppStoreFailure,
    readonly detail: string | null = null,
    options?: ErrorOptions,
  ) {
    super(`App Store Connect: ${failure}`, options);
    this.name = "AppStoreError";
  }
}

/** A key of App Store Connect's API. */
export interface AppStoreCredentials {
  keyId: string;
  issuerId: string;
  /** PKCS #8 on P-256, as Apple gives it (.p8). */
  privateKey: string;
}

const deviceSchema = z.object({
  attributes: z.object({ udid: z.string().optional(), status: z.string().optional() }).optional(),
});
const devicesSchema = z.object({
  data: z.array(deviceSchema),
  links: z.object({ next: z.string().optional() }),
});
const registeredSchema = z.object({ data: deviceSchema });
const errorsSchema = z.object({ errors: z.array(z.object({ title: z.string(), detail: z.string() })).min(1) });

const UDID = /\b([0-9a-f]{40}|[0-9a-f]{8}-?[0-9a-f]{16})\b/gi;
const CONTROL = /\p{Cc}+/gu;

/** What Apple says of a failure, without identifiers of devices. */
function detailOf(body: unknown): string | null {
  const parsed = errorsSchema.safeParse(body);
  if (!parsed.success) return null;
  const { title, detail } = parsed.data.errors[0] as { title: string; detail: string };
  return (detail || title).replace(UDID, "…").replace(CONTROL, " ").trim().slice(0, MAX_DETAIL);
}

const FAILURES: Readonly<Record<number, AppStoreFailure>> = {
  401: "unauthorized",
  403: "forbidden",
  429: "rate_limited",
};

/** Whether a text is a private key that Apple's API takes. */
export function isAppStoreKey(privateKey: string): boolean {
  try {
    const key = createPrivateKey(privateKey);
    return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

/** A device of a team: one that is disabled is in no profile. */
type TeamDeviceStatus = "enabled" | "disabled";

export interface AppStore {
  /** All devices of the team, by UDID in upper case. @throws AppStoreError */
  devices(): Promise<Map<string, TeamDeviceStatus>>;
  /** A device of the team; null if it has none of this UDID. @throws AppStoreError */
  find(udid: string): Promise<TeamDeviceStatus | null>;
  /** Registers an iPhone or iPad. @throws AppStoreError */
  register(device: { name: string; udid: string }): Promise<void>;
}

/**
 * App Store Connect's API, as a key of it may use it. Requests keep the rules of `lib/http/outbound.ts`.
 * @see https://developer.apple.com/documentation/appstoreconnectapi
 */
export function appStore(
  { keyId, issuerId, privateKey }: AppStoreCredentials,
  { signal }: { signal?: AbortSignal } = {},
): AppStore {
  let token: { value: string; madeAt: number } | undefined;

  async function bearer(): Promise<string> {
    if (!token || Date.now() - token.madeAt > TOKEN_REUSE_MS) {
      const value = await new SignJWT()
        .setProtectedHeader({ alg: "ES256", kid: keyId, typ: "JWT" })
        .setIssuer(issuerId)
        .setAudience("appstoreconnect-v1")
        .setIssuedAt()
        .setExpirationTime(TOKEN_LIFETIME)
        .sign(createPrivateKey(privateKey));
      token = { value, madeAt: Date.now() };
    }
    return `Bearer ${token.value}`;
  }

  async function ask(path: string, body?: object): Promise<unknown> {
    const headers = { Authorization: await bearer(), ...(body && { "Content-Type": "application/json" }) };
    const init = { headers, ...(body && { method: "POST", body: JSON.stringify(body) }), ...(signal && { signal }) };
    const answer = await outboundFetch(`${env.APP_STORE_CONNECT_URL}${path}`, init).catch((error) => {
      signal?.throwIfAborted();
      const detail = error instanceof OutboundError ? error.failure : null;
      throw new AppStoreError("unreachable", detail, { cause: error });
    });
    const { status } = answer;
    const content: unknown = await answer.json().catch(() => undefined);
    if (status >= 500) throw new AppStoreError("unreachable", `HTTP ${status}`);
    if (status >= 400) throw new AppStoreError(FAILURES[status] ?? "refused", detailOf(content));
    return content;
  }

  async function page(path: string): Promise<z.output<typeof devicesSchema>> {
    const parsed = devicesSchema.safeParse(await ask(path));
    if (!parsed.success) throw new AppStoreError("unexpected");
    return parsed.data;
  }

  const statusOf = ({ attributes }: z.output<typeof deviceSchema>): TeamDeviceStatus =>
    attributes?.status === "DISABLED" ? "disabled" : "enabled";

  /** The path of the next page, which has to be one of the same list. */
  function pathOf(next: string): string {
    const url = URL.parse(next, env.APP_STORE_CONNECT_URL);
    if (url?.pathname !== "/v1/devices") throw new AppStoreError("unexpected");
    return `${url.pathname}${url.search}`;
  }

  return {
    async devices() {
      const found = new Map<string, TeamDeviceStatus>();
      let path: string | null = `/v1/devices?fields%5Bdevices%5D=udid,status&limit=${PAGE}`;
      for (let count = 0; path !== null && count < MAX_PAGES; count += 1) {
        const { data, links }: z.output<typeof devicesSchema> = await page(path);
        for (const device of data) {
          if (device.attributes?.udid) found.set(device.attributes.udid.toUpperCase(), statusOf(device));
        }
        path = links.next === undefined ? null : pathOf(links.next);
      }
      return found;
    },
    async find(udid) {
      const query = `filter%5Budid%5D=${encodeURIComponent(udid)}&fields%5Bdevices%5D=udid,status&limit=1`;
      const [device] = (await page(`/v1/devices?${query}`)).data;
      return device ? statusOf(device) : null;
    },
    async register({ name, udid }) {
      const attributes = { name: name.slice(0, MAX_NAME), udid, platform: "IOS" };
      const answer = await ask("/v1/devices", { data: { type: "devices", attributes } });
      if (!registeredSchema.safeParse(answer).success) throw new AppStoreError("unexpected");
    },
  };
}
