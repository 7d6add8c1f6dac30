import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { findFreePort } from "@/scripts/lib/ports.mjs";

/** A TCP proxy that simulates network failures. */
export interface TcpProxy {
  port: number;
  /** Discards all data in both directions, without closing connections. */
  fallSilent(): void;
  /** Closes all connections and refuses new ones. */
  refuse(): Promise<void>;
  /** Forwards again, at the same port. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of the loopback interface. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let silent = false;
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((from) => {
      const to = connect(target.port, target.host);
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        sockets.add(one);
        one.on("data", (data) => void (!silent && other.write(data)));
        one.on("error", () => {});
        one.on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      }
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
    return server;
  };
  const port = await findFreePort("127.0.0.1");
  let server: Server | undefined = await listen(port);
  const refuse = async () => {
    const listening = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    if (!listening) return;
    listening.close();
    await once(listening, "close");
  };
  return {
    port,
    fallSilent: () => {
      silent = true;
    },
    refuse,
    async recover() {
      silent = false;
      server ??= await listen(port);
    },
    close: refuse,
  };
}
