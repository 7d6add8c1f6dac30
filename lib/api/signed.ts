import "server-only";
import { createHmac } from "node:crypto";
import { SIGNATURE_HEADER, signAnswer } from "@/lib/auth/answer-signature";
import { namesEtag } from "@/lib/http/range";
import type { BinaryReply, CompleteReply } from "@/lib/http/reply";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { outputJson } from "./checked";

/** What a signed answer says besides its body. `no-transform` keeps it from being compressed: its bytes are signed. */
const HEADERS = { "Cache-Control": "no-store, no-transform" };

/**
 * A strong entity tag of a body, the same on all instances until the master key is replaced. It is keyed, because a body may
 * consist of secrets that could be guessed by their hash.
 */
function entityTag(body: Uint8Array): string {
  const key = createHmac("sha256", masterKeys().current.key).update("entity tags").digest();
  return `"${createHmac("sha256", key).update(body).digest("base64url")}"`;
}

/**
 * The answer of a signed query, or 304 where the caller has it already (RFC 9110, section 13.1.2). Equal contents have
 * equal bytes, and these the entity tag.
 */
export function conditionalReply(output: unknown, headers: Headers): BinaryReply {
  const body = Buffer.from(outputJson(output));
  const etag = entityTag(body);
  const common = { ...HEADERS, ETag: etag };
  if (namesEtag(headers.get("if-none-match") ?? "", etag, "weak")) return { status: 304, headers: common, body: null };
  return { status: 200, headers: { ...common, "Content-Type": "application/json" }, body };
}

/**
 * Signs an answer, whatever it is: the output, 304 or a problem.
 * @param call.url of the request
 */
export async function withSignature(
  reply: CompleteReply,
  { url, nonce, now }: { url: string; nonce: string | undefined; now: Date },
): Promise<CompleteReply> {
  const { status, headers } = reply;
  const { pathname, search } = new URL(url);
  const body = typeof reply.body === "string" ? Buffer.from(reply.body) : (reply.body ?? new Uint8Array());
  const etag = headers.get("etag") ?? undefined;
  headers.set(SIGNATURE_HEADER, await signAnswer(body, { url: pathname + search, nonce, etag, now }));
  return { status, headers, body: status === 304 ? null : body };
}
