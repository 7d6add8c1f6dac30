// Loaded into the server before anything else (node --import). Next listens before this instance has started, and would answer the
// requests that arrive until then by itself: calls of the API with 404. Here it listens when the instance calls
// `globalThis.slipwayListen` (lib/server/register.ts); until then, connections are refused, and a proxy uses another instance.
import { Server } from "node:net";

const { listen } = Server.prototype;

/**
 * @this {Server}
 * @param {...any} args
 */
function listenLater(...args) {
  // Only Next's own server, which is the first one.
  Server.prototype.listen = listen;
  /** @type {{ slipwayListen?: () => void }} */ (globalThis).slipwayListen = () => {
    listen.apply(this, /** @type {any} */ (args));
  };
  // Next's own listener comes after Node's. It starts the instance.
  const start = /** @type {() => void} */ (this.listeners("listening").at(-1));
  this.off("listening", start);
  setImmediate(() => start.call(this));
  return this;
}

Server.prototype.listen = /** @type {typeof listen} */ (/** @type {unknown} */ (listenLater));
