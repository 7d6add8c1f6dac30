import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Ports that no system assigns to connections by itself: such a port could be taken between being found and being bound. */
const ASSIGNABLE = { first: 20_000, end: 32_768 };

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
    const port = randomInt(ASSIGNABLE.first, ASSIGNABLE.end);
    if (await isPortFree(port, host)) return port;
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
