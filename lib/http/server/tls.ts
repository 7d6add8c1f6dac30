import "server-only";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createSecureContext, createServer, type TLSSocket } from "node:tls";

/** The first byte of every TLS connection: the content type "handshake" (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 0x16;
/** How long a client may take to send its first byte, and then to complete the handshake, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 30_000;

/** A certificate with its chain and its private key, PEM. */
interface TlsIdentity {
  chain: string;
  key: string;
}

/** Whether a client that sends these bytes first speaks TLS. */
export function beginsTls(first: Buffer): boolean {
  return first[0] === TLS_HANDSHAKE;
}

/** Serves TLS on the port of an HTTP server. */
export interface TlsListener {
  /** From now on, connections of this server that begin with a TLS handshake are decrypted. Others stay as they are. */
  attach(server: Server): void;
  /** Uses another certificate for new connections. */
  setIdentity(identity: TlsIdentity): void;
}

/** Whether a connection is encrypted by this process. */
export function isEncrypted(socket: Socket): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/**
 * HTTP and HTTPS on one port. HSTS applies to a host name with all its ports, and people type an address without `https://`:
 * with one port, both arrive.
 */
export function listenTls(identity: TlsIdentity): TlsListener {
  const options = ({ chain, key }: TlsIdentity) => ({ cert: chain, key });
  // Never listens: it gets the connections that the HTTP server has accepted.
  const decrypter = createServer({
    ...options(identity),
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    secureContext: createSecureContext(options(identity)),
  });
  // A device that does not trust the certificate ends the handshake.
  decrypter.on("tlsClientError", (_error, socket) => socket.destroy());
  return {
    attach(server) {
      const serve = server.listeners("connection") as ((socket: Socket) => void)[];
      const pass = (socket: Socket) => {
        for (const listener of serve) listener.call(server, socket);
      };
      decrypter.on("secureConnection", pass);
      server.removeAllListeners("connection");
      server.on("connection", (socket: Socket) => {
        const giveUp = () => socket.destroy();
        socket.once("error", giveUp);
        socket.setTimeout(HANDSHAKE_TIMEOUT_MS, giveUp);
        socket.once("readable", () => {
          const first: Buffer | null = socket.read();
          socket.off("error", giveUp);
          socket.off("timeout", giveUp);
          socket.setTimeout(0);
          if (first === null) return void socket.destroy();
          socket.unshift(first);
          if (beginsTls(first)) decrypter.emit("connection", socket);
          else pass(socket);
        });
      });
    },
    setIdentity: (next) => decrypter.setSecureContext(options(next)),
  };
}
