import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Where free ports are sought: below the ports that Linux, macOS and Windows assign by default to connections and to programs that ask for
 * any port, since another program could be assigned the port before it is bound; and below the node ports of Kubernetes, which may be
 * redirected without being bound.
 */
const SEARCHED = { first: 20_000, end: 30_000 };

/**
 * @param {number} port
 * @param {string} host the address to bind
 * @returns {Promise<boolean>} whether the port can be bound
 */
export function isPortFree(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Checks whether this machine has IPv6: "::" takes connections of both versions of IP, and cannot be bound without IPv6.
 *
 * @param {(port: number, host: string) => Promise<boolean>} [bind]
 * @returns {Promise<"::" | "0.0.0.0">} the address to bind for connections to every address of the machine
 */
export async function everyAddress(bind = isPortFree) {
  try {
    await bind(0, "::");
    return "::";
  } catch {
    return "0.0.0.0";
  }
}

/**
 * @param {string} host
 * @returns {Promise<number>} a free port at that address
 */
export async function findFreePort(host) {
  for (;;) {
    const port = randomInt(SEARCHED.first, SEARCHED.end);
    const isFree = await isPortFree(port, host).catch((/** @type {NodeJS.ErrnoException} */ error) => {
      // Windows reserves ranges of ports.
      if (error.code === "EACCES") return false;
      throw error;
    });
    if (isFree) return port;
  }
}

/**
 * @param {string | undefined} text
 * @param {number} fallback for undefined and ""
 * @returns {number}
 * @throws {Error} if the text is not a TCP port from 1 to 65535
 */
export function parsePort(text, fallback) {
  if (text === undefined || text === "") return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error(`PORT must be a number from 1 to 65535, not "${text}".`);
  return port;
}
