import "server-only";
import { outboundProblem } from "@/lib/http/outbound";
import { invalidField } from "@/lib/kernel/errors";

/**
 * Checks whether this server would send a request to an address.
 * @throws ApiError validation_failed
 */
export function requireAddress(url: string | undefined): void {
  const problem = url === undefined ? null : outboundProblem(new URL(url));
  if (problem) throw invalidField("url", problem === "insecure" ? "httpsOnly" : "publicAddress");
}
