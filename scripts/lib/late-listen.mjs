// Loaded into the server before anything else (node --import). Next listens before this instance has started, and would answer the
// requests that arrive until then by itself: calls of the API with 404. Here it listens when the instance calls
// `globalThis.slipwayListen` (lib/server/register.ts); until then, connections are refused, and a proxy uses another instance.
import { Server } from "node:net";

const { listen } = Server.prototype;

/**
 * Connections that the kernel accepts before this process does; the kernel has a limit of its own (`somaxconn`). It drops others,
 * and their clients try again after 1, 3, 7 … 63 seconds. Node's default of 511 is too few for a thousand testers at once.
 */
const BACKLOG = 4096;

/**
 * @this {Server}
 * @param {...any} args
 */
function listenLater(...args) {
  // Only Next's own server, which is the first one.
  Server.prototype.listen = listen;
  /** @type {{ slipwayListen?: () => void }} */ (globalThis).slipwayListen = () => {
    // Next calls listen(port, host).
    const [port, host] = args;
    listen.call(this, { port, host, backlog: BACKLOG });
  };
  // Next's own listener comes after Node's. It starts the instance.
  const start = /** @type {() => void} */ (this.listeners("listening").at(-1));
  this.off("listening", start);
  setImmediate(() => start.call(this));
  return this;
}

Server.prototype.listen = /** @type {typeof listen} */ (/** @type {unknown} */ (listenLater));
