import { createServer } from "node:net";

/**
 * @param {number} port
 * @param {string} host the address that will be bound
 * @returns {Promise<boolean>} whether a server can be bound there now
 */
export function isPortFree(port, host) {
  return new Promise((answer, fail) => {
    const server = createServer();
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE") answer(false);
      else fail(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => answer(true)));
  });
}

/**
 * @param {string} host
 * @returns {Promise<number>} a port that nobody uses at that address
 */
export function findFreePort(host) {
  return new Promise((answer, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen({ port: 0, host }, () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => answer(port));
    });
  });
}

/**
 * @param {string | undefined} text a port as a person wrote it
 * @param {number} fallback
 * @returns {number}
 * @throws {Error} when it is no TCP port
 */
export function parsePort(text, fallback) {
  if (text === undefined || text === "") return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error(`PORT must be a number from 1 to 65535, not "${text}".`);
  return port;
}
