import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { StepError } from "./console.mjs";

/**
 * @typedef {object} Lan the hosts of a console on the local network
 * @property {string} host the name or address in its links
 * @property {string} address an address at which other devices reach it, for a first visit without name resolution
 * @property {string[]} hosts all hosts that its certificate is for, `host` first
 */

/** As in packages/certificates, whose authorities sign for these addresses only. */
const localAddresses = new BlockList();
for (const [network, prefix] of /** @type {const} */ ([
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
])) {
  localAddresses.addSubnet(network, prefix, "ipv4");
}
localAddresses.addSubnet("fc00::", 7, "ipv6");

/** @param {string} address */
function isLocal(address) {
  return localAddresses.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/**
 * The name of this machine in multicast DNS (RFC 6762): its first label below `.local`.
 *
 * @param {string} name as the system has it
 * @returns {string | undefined} undefined if no such name can be formed
 */
export function localName(name) {
  const label = (name.split(".")[0] ?? "").toLowerCase();
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label) && label !== "localhost" ? `${label}.local` : undefined;
}

/** @returns {string[]} the local addresses of this machine, IPv4 first, without link-local ones of IPv6, which need a zone */
function ownAddresses() {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const local = all.filter(({ internal, address }) => !internal && isLocal(address));
  return [...new Set(local.sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address))];
}

/**
 * @returns {Promise<string | undefined>} the address of the interface that leads out of this machine; no packet is sent
 */
function outboundAddress() {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    const finish = (/** @type {string | undefined} */ address) => {
      socket.close();
      resolve(address);
    };
    socket.once("error", () => finish(undefined));
    // An address for documentation (RFC 5737).
    socket.connect(9, "192.0.2.1", () => finish(socket.address().address));
  });
}

/**
 * @param {string} name
 * @param {readonly string[]} addresses
 * @returns {Promise<boolean>} whether this machine's name is resolved to one of its addresses
 */
async function resolvesTo(name, addresses) {
  try {
    return (await lookup(name, { all: true })).some(({ address }) => addresses.includes(address));
  } catch {
    return false;
  }
}

/**
 * Decides under which names and addresses the console is served.
 *
 * @param {string | undefined} wanted the host for its links; by default the `.local` name if it is resolved, else the address
 * @param {object} machine
 * @param {string | undefined} machine.name its `.local` name
 * @param {boolean} machine.isNameResolved
 * @param {string[]} machine.addresses its local addresses
 * @param {string | undefined} machine.outbound that of the interface which leads out of it
 * @returns {Lan}
 * @throws {StepError} if other devices cannot reach this machine at a local address
 */
export function chooseLan(wanted, { name, isNameResolved, addresses, outbound }) {
  const address = addresses.find((own) => own === outbound) ?? addresses[0];
  if (address === undefined) {
    throw new StepError(
      "This machine has no address in a local network. Connect it to the network of the phones. A machine with a public address needs a domain name: docs/operations/README.md",
    );
  }
  const own = [...(name ? [name] : []), ...addresses];
  if (wanted !== undefined && !own.includes(wanted)) {
    throw new StepError(`--lan=${wanted} is none of this machine's local names and addresses: ${own.join(", ")}`);
  }
  const host = wanted ?? (name && isNameResolved ? name : address);
  return {
    host,
    address: isIP(host) ? host : address,
    hosts: [...new Set([host, ...own, "localhost", "127.0.0.1", "::1"])],
  };
}

/**
 * Finds the names and addresses of this machine on the local network.
 *
 * @param {string | undefined} wanted as for {@link chooseLan}
 * @returns {Promise<Lan>}
 */
export async function findLan(wanted) {
  const addresses = ownAddresses();
  const name = localName(hostname());
  const isNameResolved = name !== undefined && (await resolvesTo(name, addresses));
  return chooseLan(wanted, { name, isNameResolved, addresses, outbound: await outboundAddress() });
}

/**
 * @param {string} host a name or an address
 * @param {number} port
 * @returns {string} as in a URL
 */
export function hostAndPort(host, port) {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
