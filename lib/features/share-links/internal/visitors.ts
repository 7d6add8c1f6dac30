import "server-only";
import { hash, randomBytes } from "node:crypto";
import { v4, validate } from "uuid";
import type { RequestFacts } from "@/lib/http/request-facts";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { HOUR_MS } from "@/lib/kernel/time";
import { namedVisitor, type Visitor } from "@/lib/visits/visitor";

/** Clients whose visits are known at the same time. */
const MAX_KNOWN = 10_000;

type Client = Pick<RequestFacts, "headers" | "ip" | "userAgent" | "now">;

/**
 * The visits of the last hour, by a keyed hash of the client: the pages of links set no cookie. It is in memory only, and its key ends
 * with the process: the hash is compared in this process alone.
 */
const known = processSingleton("share-link-visitors", () => ({
  key: randomBytes(32).toString("base64"),
  visits: new Map<string, { id: string; until: number }>(),
}));

function clientHash(linkId: string, { ip, userAgent, headers }: Client): string {
  const client = JSON.stringify([known.get().key, linkId, ip, userAgent, headers.get("accept-language")]);
  return hash("sha256", client, "base64");
}

/** The visit of such a client within an hour, or a new one. */
function visitIdOf(linkId: string, client: Client): string {
  const { visits } = known.get();
  const key = clientHash(linkId, client);
  const now = client.now.getTime();
  const last = visits.get(key);
  const id = last && last.until > now ? last.id : v4();
  visits.delete(key);
  visits.set(key, { id, until: now + HOUR_MS });
  const [oldest] = visits.keys();
  if (visits.size > MAX_KNOWN && oldest !== undefined) visits.delete(oldest);
  return id;
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
  const visitId = given && validate(given) ? given : visitIdOf(linkId, client);
  return { visitor: namedVisitor("link", linkId, visitId), visitId };
}
