import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { issueServerCertificate, makeAuthority } from "@slipway/certificates/authority";
import { pem } from "./push";

/** A PostgreSQL behind TLS, with a certificate of an authority of its own. */
export interface TlsPostgres {
  port: number;
  /** The authority's certificate, in PEM. */
  authority: string;
  close(): Promise<void>;
}

/** Offers TLS before a PostgreSQL, as the protocol has it (PostgreSQL, 54.2.10). @param hosts the names in the certificate */
export async function startTlsPostgres(databaseUrl: string, hosts: readonly string[]): Promise<TlsPostgres> {
  const now = new Date();
  const { root, issuer } = await makeAuthority({ name: "Database", names: ["localhost"], now });
  const { certificate, privateKey } = await issueServerCertificate(issuer, hosts, now);
  const cert = pem("CERTIFICATE", certificate) + pem("CERTIFICATE", issuer.certificate);
  const secureContext = createSecureContext({ key: pem("PRIVATE KEY", privateKey), cert });
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    // The request for TLS: its length and its code.
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      const database = connect(Number(port), hostname);
      secure.pipe(database).pipe(secure);
      for (const one of [secure, database]) one.on("error", () => {}).on("close", () => socket.destroy());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    authority: pem("CERTIFICATE", root),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
