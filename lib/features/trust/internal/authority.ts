import "server-only";
import type { X509Certificate } from "node:crypto";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { lanFolder, readLanAuthority } from "@/lib/keys/lan-certificates";

/**
 * The authority of a console on the local network.
 * @throws ApiError not_found for a console that has none
 */
export async function requireAuthority(): Promise<{ certificate: X509Certificate; name: string }> {
  const certificate = env.LAN_HOSTS.length > 0 ? await readLanAuthority(lanFolder()) : null;
  if (!certificate) throw new ApiError("not_found");
  const name = /^CN=(.+)$/m.exec(certificate.subject)?.[1] ?? certificate.subject;
  return { certificate, name };
}
