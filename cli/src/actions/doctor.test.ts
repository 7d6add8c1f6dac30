import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { networkFailure } from "../lib/console";
import { checkTls } from "./doctor";

/** The result of the check of TLS at a server. */
async function checkAt(serve: (socket: Socket) => void, timeoutMs: number) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    serve(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const finding = await checkTls(new URL(`https://127.0.0.1:${port}`), { timeoutMs });
  for (const socket of sockets) socket.destroy();
  server.close();
  return finding;
}

it.each<[string, (socket: Socket) => void, string, number]>([
  ["is silent", () => {}, "it did not answer in time", 300],
  [
    "sends a byte of a handshake now and then",
    (socket) => {
      socket.write(Buffer.from([0x16, 3, 3, 0x40, 0]));
      const timer = setInterval(() => socket.write(Buffer.from([0])), 20);
      socket.on("close", () => clearInterval(timer));
    },
    "it did not answer in time",
    300,
  ],
  [
    "does not answer in HTTPS",
    (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    "it does not answer in HTTPS",
    20_000,
  ],
  ["closes the connection", (socket) => socket.resetAndDestroy(), "the connection was closed", 20_000],
])("the check of TLS ends in time at a server that %s", async (_name, serve, reason, timeoutMs) => {
  const { state, detail } = await checkAt(serve, timeoutMs);
  expect(state).toBe("failed");
  expect(detail).toContain(`No secure connection: ${reason}`);
});

it.each([
  ["ETIMEDOUT", "Check the address and its port, the reverse proxy and the firewall."],
  ["CERT_HAS_EXPIRED", "Renew the certificate, or correct the clock of this machine."],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "Use the address that the certificate is for, or get a certificate for this one."],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "set NODE_EXTRA_CA_CERTS"],
])("the failure %s says what to do", (code, hint) => {
  const { hints } = networkFailure("https://slipway.test", Object.assign(new Error("x"), { code }));
  expect(hints.join(" ")).toContain(hint);
});

it("a request that was given up says what to do", () => {
  const { message, hints } = networkFailure("https://slipway.test", new DOMException("late", "TimeoutError"));
  expect(message).toBe("https://slipway.test cannot be reached: it did not answer in time.");
  expect(hints).toHaveLength(1);
});
