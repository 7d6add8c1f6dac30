import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getTls } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureLanCertificates, readLanAuthority } from "@/lib/keys/lan-certificates";
import { findPrograms } from "@/scripts/lib/programs";
import { type ConsoleServer, createConsoleServer } from "./console-server";
import { makeGate } from "./gate";
import { isEncrypted, listenTls, type TlsListener } from "./tls";

const ORIGIN = "https://mac.local:3000";
let folder: string;
let server: ConsoleServer;
let port: number;
let listener: TlsListener;
let ca: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-tls-"));
  listener = listenTls(await ensureLanCertificates(folder, ["localhost", "127.0.0.1"], new Date()));
  ca = String(await readLanAuthority(folder));
  server = createConsoleServer(
    (request, response) => {
      const { remoteAddress } = request.socket;
      request
        .resume()
        .on("end", () => response.end(JSON.stringify({ encrypted: isEncrypted(request.socket), remoteAddress })));
    },
    { gate: makeGate({ below: {} }, { httpsOrigin: ORIGIN }), tls: listener },
  );
  await server.listen(0, "127.0.0.1");
  port = (server.http.address() as AddressInfo).port;
});

afterAll(async () => {
  server.destroy();
  server.http.close();
  await rm(folder, { recursive: true });
});

async function answerOf(request: ReturnType<typeof getPlain>) {
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

const plain = (path: string) => answerOf(getPlain({ port, host: "127.0.0.1", path }));
const encrypted = (path: string) => answerOf(getTls({ port, host: "localhost", path, ca }));

it("serves HTTPS on the HTTP port to clients that trust the authority, and knows their address", async () => {
  const { status, body, headers } = await encrypted("/home");
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ encrypted: true, remoteAddress: "127.0.0.1" });
  expect(headers).not.toHaveProperty("strict-transport-security");
  await expect(answerOf(getTls({ port, host: "localhost", path: "/" }))).rejects.toThrow(
    "unable to get local issuer certificate",
  );
});

it.each(["/trust", "/trust?lang=de", "/api/health/ready", "/_next/static/chunks/a.js", "/brand.svg"])(
  "answers %s over plain HTTP too",
  async (path) => {
    const { status, body } = await plain(path);
    expect(status).toBe(200);
    expect(JSON.parse(body).encrypted).toBe(false);
  },
);

it.each(["/", "/home", "/releases?id=1", "/setup?token=secret", "/trust/../home"])(
  "sends %s over plain HTTP to the page where a device learns to trust the console",
  async (path) => {
    const { status, headers } = await plain(path);
    expect([status, headers.location]).toEqual([302, "/trust"]);
  },
);

it("sends a call of the API to the same call over HTTPS, with its method", async () => {
  const { status, headers } = await plain("/api/apps/get-apps?limit=1");
  expect([status, headers.location]).toEqual([308, `${ORIGIN}/api/apps/get-apps?limit=1`]);
});

it("uses a renewed certificate for new connections", async () => {
  const before = await peerFingerprint();
  listener.setIdentity(await ensureLanCertificates(folder, ["localhost", "127.0.0.1", "10.1.1.1"], new Date()));
  expect(await peerFingerprint()).not.toBe(before);
  expect((await encrypted("/home")).status).toBe(200);
});

async function peerFingerprint(): Promise<string> {
  const socket = connectTls({ port, host: "localhost", ca });
  await once(socket, "secureConnect");
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

it("receives a large body from curl, which verifies the certificate", async ({ skip }) => {
  const curl = findPrograms("curl");
  if (curl instanceof Error) skip(curl.message);
  const sent = "x".repeat(3_000_000);
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      "curl",
      ["--silent", "--show-error", "--cacert", `${folder}/authority.pem`, "--data-binary", "@-"].concat(
        `https://localhost:${port}/api/apps/create-app`,
      ),
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(sent);
  });
  expect(JSON.parse(output)).toMatchObject({ encrypted: true });
});

it("closes a connection whose TLS handshake is malformed, and goes on", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.end(Buffer.from([0x16, 3, 1, 0, 4, 1, 2, 3, 4]));
  await once(socket.resume(), "close");
  expect((await encrypted("/home")).status).toBe(200);
});
