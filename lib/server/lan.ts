import "server-only";
import { listenTls, type TlsListener } from "@/lib/http/server/tls";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { ensureLanCertificates, lanFolder } from "@/lib/keys/lan-certificates";

/** How often the certificate is checked, in milliseconds; it is renewed a month before it ends. */
const CHECK_INTERVAL_MS = 12 * 3_600_000;

/** HTTPS on the local network, with a certificate of the console's own authority; undefined if it is not switched on. */
export async function lanTls(): Promise<TlsListener | undefined> {
  if (env.LAN_HOSTS.length === 0) return undefined;
  const listener = listenTls(await ensureLanCertificates(lanFolder(), env.LAN_HOSTS, new Date()));
  const renew = async () => {
    const certificates = await ensureLanCertificates(lanFolder(), env.LAN_HOSTS, new Date());
    if (certificates.madeCertificate) listener.setIdentity(certificates);
  };
  setInterval(() => {
    renew().catch((error) => log.error({ err: error }, "the certificate of the local network could not be renewed"));
  }, CHECK_INTERVAL_MS).unref();
  return listener;
}
