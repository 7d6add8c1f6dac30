import "server-only";
import { hash, randomBytes } from "node:crypto";
import { DEVICE_HINTS } from "@slipway/installers";
import { v4, validate } from "uuid";
import { networkOf } from "@/lib/http/network";
import type { RequestFacts } from "@/lib/http/request-facts";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { HOUR_MS } from "@/lib/kernel/time";
import { namedVisitor, type Visitor } from "@/lib/visits/visitor";

/** Clients whose visits are known at the same time, and networks whose visits are counted. */
const MAX_KNOWN = 10_000;
/**
 * Visits of one link from one network within an hour. Further ones there are one visitor together: a client may call itself
 * anything, and each visit is a row of the database for 30 days.
 */
export const MAX_VISITS_OF_NETWORK = 300;

type Client = Pick<RequestFacts, "headers" | "ip" | "userAgent" | "now">;

/**
 * The visits of the last hour, by a keyed hash of the client: the pages of links set no cookie. It is in memory only, and its key ends
 * with the process: the hash is compared in this process alone.
 */
const known = processSingleton("share-link-visitors", () => ({
  key: randomBytes(32).toString("base64"),
  visits: new Map<string, { id: string; until: number }>(),
  /** The IDs of these visits. */
  ids: new Set<string>(),
  /** The clients whose next request answers a question for client hints. */
  asked: new Map<string, true>(),
  networks: new Map<string, { count: number; until: number; further: string }>(),
}));

/** Puts a value at the end of a map, which forgets its oldest one. @returns the one that it forgot */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): Value | undefined {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.entries();
  if (map.size <= MAX_KNOWN || !oldest) return;
  map.delete(oldest[0]);
  return oldest[1];
}

/** The ID of a visit that this process does not know, or that of all further visits of its network. */
function countedId(linkId: string, { ip, now }: Client, id: string): string {
  const { networks } = known.get();
  const key = `${linkId} ${networkOf(ip)}`;
  const last = networks.get(key);
  const network =
    last && last.until > now.getTime() ? last : { count: 0, until: now.getTime() + HOUR_MS, further: v4() };
  network.count += 1;
  remember(networks, key, network);
  return network.count > MAX_VISITS_OF_NETWORK ? network.further : id;
}

function clientHash(linkId: string, { ip, userAgent, headers }: Client): string {
  const client = JSON.stringify([known.get().key, linkId, ip, userAgent, headers.get("accept-language")]);
  return hash("sha256", client, "base64");
}

/** The visit of such a client within an hour, or a new one. */
function visitIdOf(linkId: string, client: Client): string {
  const { visits, ids } = known.get();
  const key = clientHash(linkId, client);
  const now = client.now.getTime();
  const last = visits.get(key);
  const id = last && last.until > now ? last.id : countedId(linkId, client, v4());
  ids.add(id);
  const forgotten = remember(visits, key, { id, until: now + HOUR_MS });
  if (forgotten) ids.delete(forgotten.id);
  return id;
}

/**
 * Whether a browser repeats its request for a page because the answer asked it for client hints. It does so at once, where it has them.
 * @param asks whether the answer to this request asks for them
 */
export function repeatsWithHints(linkId: string, client: Client, asks: boolean): boolean {
  const { asked } = known.get();
  const key = clientHash(linkId, client);
  if (DEVICE_HINTS.some((name) => client.headers.has(name))) return asked.delete(key);
  if (asks) remember(asked, key, true);
  return false;
}

/**
 * The visitor of a link, with a random number of the visit. Clients that are alike and have one address are one visitor.
 * @param given the number that the page had; a form may have any, which names a visitor of this link and nobody else
 */
export function visitorOf(
  linkId: string,
  client: Client,
  given?: string | null,
): { visitor: Visitor; visitId: string } {
  const isGiven = given !== undefined && given !== null && validate(given);
  const isKnown = isGiven && known.get().ids.has(given);
  const visitId = isKnown ? given : isGiven ? countedId(linkId, client, given) : visitIdOf(linkId, client);
  return { visitor: namedVisitor("link", linkId, visitId), visitId };
}
