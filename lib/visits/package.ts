import "server-only";
import { Readable } from "node:stream";
import { countSent } from "@/lib/http/chunks";
import { isInstallCheck } from "@/lib/http/install-check-agent";
import type { BinaryReply } from "@/lib/http/reply";
import type { RequestFacts } from "@/lib/http/request-facts";
import { followTransfer, recordVisit } from "./record";
import { type Package, stepsUpTo, type VisitDevice } from "./state";
import type { Visitor } from "./visitor";

/** Where the bytes of an answer begin in their file. */
function firstByte({ status, headers }: BinaryReply): number {
  const range = headers["content-range"];
  return status === 206 && range ? Number(/^bytes (\d+)-/.exec(range)?.[1] ?? 0) : 0;
}

/** Records that a package goes to a device, and how much of it is sent. What the store sends itself is not seen. */
export function recordPackage(
  reply: BinaryReply,
  request: Pick<RequestFacts, "method" | "now" | "userAgent">,
  visit: { releaseId: string; visitor: Visitor; package: Package; hasManifest: boolean; device?: VisitDevice },
): void {
  if (request.method !== "GET" || ![200, 206, 302].includes(reply.status) || isInstallCheck(request.userAgent)) return;
  const { releaseId, visitor, package: file, hasManifest, device } = visit;
  const fromStore = reply.status === 302;
  const steps = stepsUpTo("begun", hasManifest);
  recordVisit({ releaseId, visitor, at: request.now, steps, package: file, fromStore, ...(device && { device }) });
  if (reply.body instanceof Readable) {
    countSent(reply.body, followTransfer({ releaseId, visitor, package: file, start: firstByte(reply) }));
  }
}
