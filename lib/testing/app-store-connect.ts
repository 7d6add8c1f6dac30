import { createPublicKey, randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { z } from "zod";
import { createSecureCertificate } from "@/lib/features/certificates/operations/create-secure-certificate";
import { updateAppStoreKey } from "@/lib/features/devices/operations/update-app-store-key";
import { anAppleKey } from "./apple-key";
import { type Caller, send } from "./console";
import { aKey } from "./variables";

const NEW_KEY = { keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a" };

/** What the document of Apple's API calls DeviceCreateRequest. */
const createRequest = z.strictObject({
  data: z.strictObject({
    type: z.literal("devices"),
    attributes: z.strictObject({
      name: z.string().min(1),
      udid: z.string(),
      platform: z.enum(["IOS", "MAC_OS", "UNIVERSAL"]),
    }),
  }),
});

const listOf = (...values: [string, ...string[]]) =>
  z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(values)));

/** The parameters of its list of devices; a page is named by `cursor`. */
const listQuery = z.strictObject({
  "filter[udid]": z.string().optional(),
  "filter[status]": listOf("ENABLED", "DISABLED").optional(),
  "fields[devices]": listOf("name", "platform", "udid", "deviceClass", "status", "model", "addedDate").optional(),
  limit: z.coerce.number().int().min(1).max(200).default(20),
  cursor: z.coerce.number().int().optional(),
});

interface TeamDevice {
  id: string;
  name: string;
  udid: string;
  status: "ENABLED" | "DISABLED";
}

/** A team's App Store Connect. */
export interface AppStoreConnect {
  url: string;
  key: { keyId: string; issuerId: string; privateKey: string };
  devices: TeamDevice[];
  /** How many devices the team may have. */
  limit: number;
  /** How many requests are still answered in this hour. */
  requestsLeft: number;
  /** Is asked before each request; a status that it answers is sent instead. */
  fail: () => number | undefined;
  /** Lets somebody else register a device just before the next request of that. */
  beforeRegistration: (() => void) | undefined;
  requests: { method: string; path: string }[];
  close(): Promise<void>;
}

type Answer = { status: number; body: object };

const failure = (status: number, code: string, detail: string, more: object = {}): Answer => ({
  status,
  body: {
    errors: [{ id: randomUUID(), status: String(status), code, title: "There is a problem", detail, ...more }],
  },
});

/** Apple's numbers of devices: 40 hexadecimal digits, or since 2018 8 and 16. */
const NUMBER = /^([0-9a-f]{40}|[0-9A-F]{8}-[0-9A-F]{16})$/i;

function register(team: AppStoreConnect, text: string): Answer {
  team.beforeRegistration?.();
  team.beforeRegistration = undefined;
  const parsed = createRequest.safeParse(JSON.parse(text));
  if (!parsed.success) return failure(400, "PARAMETER_ERROR", parsed.error.message);
  const { name, udid } = parsed.data.data.attributes;
  if (!NUMBER.test(udid)) {
    const source = { pointer: "/data/attributes/udid" };
    return failure(409, "ENTITY_ERROR.ATTRIBUTE.INVALID", `'${udid}' is not a valid device number.`, { source });
  }
  if (team.devices.some((device) => device.udid.toUpperCase() === udid.toUpperCase())) {
    return failure(409, "ENTITY_ERROR", `A device with number '${udid}' already exists on this team.`);
  }
  if (team.devices.length >= team.limit) {
    const detail = "Your development team has reached the maximum number of registered iPhone devices.";
    return failure(403, "FORBIDDEN_ERROR", detail);
  }
  const device: TeamDevice = { id: randomUUID(), name, udid, status: "ENABLED" };
  team.devices.push(device);
  return { status: 201, body: { data: resource(device), links: { self: `${team.url}/v1/devices/${device.id}` } } };
}

const resource = ({ id, ...attributes }: TeamDevice) => ({
  type: "devices",
  id,
  attributes: { ...attributes, platform: "IOS", deviceClass: "IPHONE" },
});

function list(team: AppStoreConnect, url: URL): Answer {
  const parsed = listQuery.safeParse(Object.fromEntries(url.searchParams));
  if (!parsed.success) return failure(400, "PARAMETER_ERROR.ILLEGAL", parsed.error.message);
  const { limit, cursor = 0, "filter[udid]": udid } = parsed.data;
  const wanted = team.devices.filter((device) => !udid || udid.toUpperCase() === device.udid.toUpperCase());
  const next = new URL(url);
  next.searchParams.set("cursor", String(cursor + limit));
  const links = { self: url.href, ...(cursor + limit < wanted.length && { next: next.href }) };
  const data = wanted.slice(cursor, cursor + limit).map(resource);
  return { status: 200, body: { data, links, meta: { paging: { total: wanted.length, limit } } } };
}

/** Whether a request has a token that the team's key signed, as Apple requires it. */
async function isAuthorized({ key }: AppStoreConnect, authorization = ""): Promise<boolean> {
  try {
    const token = authorization.replace(/^Bearer /, "");
    const { payload } = await jwtVerify(token, createPublicKey(key.privateKey), {
      algorithms: ["ES256"],
      issuer: key.issuerId,
      audience: "appstoreconnect-v1",
      requiredClaims: ["iat", "exp"],
    });
    const { kid } = decodeProtectedHeader(token);
    return kid === key.keyId && (payload.exp as number) - (payload.iat as number) <= 20 * 60;
  } catch {
    return false;
  }
}

/** Starts the part of App Store Connect that has the devices of a team, on 127.0.0.1, by the document of Apple's API. */
export async function startAppStoreConnect(): Promise<AppStoreConnect> {
  const answerOf = async (request: http.IncomingMessage, text: string): Promise<Answer> => {
    const url = new URL(request.url ?? "", team.url);
    const status = team.fail();
    if (status !== undefined) return failure(status, "UNEXPECTED_ERROR", "An unexpected error occurred.");
    if (!(await isAuthorized(team, request.headers.authorization))) {
      return failure(401, "NOT_AUTHORIZED", "Provide a properly configured and signed bearer token.");
    }
    if (team.requestsLeft <= 0) return failure(429, "RATE_LIMIT_EXCEEDED", "The hourly limit is reached.");
    team.requestsLeft -= 1;
    if (url.pathname !== "/v1/devices") return failure(404, "NOT_FOUND", "There is no such resource.");
    if (request.method === "GET") return list(team, url);
    if (request.headers["content-type"] !== "application/json") return failure(415, "UNSUPPORTED", "JSON is expected.");
    return register(team, text);
  };
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    team.requests.push({ method: request.method as string, path: request.url as string });
    const { status, body } = await answerOf(request, Buffer.concat(parts).toString());
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const team: AppStoreConnect = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: { ...NEW_KEY, privateKey: anAppleKey() },
    devices: [],
    limit: 100,
    requestsLeft: 3_600,
    fail: () => undefined,
    beforeRegistration: undefined,
    requests: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return team;
}

/** Adds a key of App Store Connect to an environment's certificates. @param owner who has passed a second factor @returns its ID */
export async function anAppStoreKeyFile(
  owner: Caller,
  environmentId: string,
  privateKey = anAppleKey(),
): Promise<string> {
  const { status, body } = await send(createSecureCertificate, owner, {
    environmentId,
    name: "App Store Connect",
    key: aKey(),
    fileName: "AuthKey_2X9R4HXF34.p8",
    value: Buffer.from(privateKey).toString("base64"),
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Chooses a key by which an environment registers devices. */
export async function anAppStoreKey(
  owner: Caller,
  environmentId: string,
  { keyId, issuerId, privateKey } = { ...NEW_KEY, privateKey: anAppleKey() },
): Promise<void> {
  const certificateId = await anAppStoreKeyFile(owner, environmentId, privateKey);
  const { status, body } = await send(updateAppStoreKey, owner, { environmentId, certificateId, keyId, issuerId });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}
