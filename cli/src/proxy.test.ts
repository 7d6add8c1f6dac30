import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { issueForHosts, makeAuthority } from "@slipway/certificates/authority";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/operations";
import { anApp, aSession, aUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { anIpa } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { proxyFor } from "./lib/proxy";
import { olderNode, setUpTool } from "./testing/tool";

describe("the proxy of a request", () => {
  const proxy = (url: string, environment: Record<string, string>) => proxyFor(new URL(url), environment)?.href;

  it.each([
    [{ HTTPS_PROXY: "http://proxy:3128" }, "https://a.example", "http://proxy:3128/"],
    [{ HTTPS_PROXY: "proxy:3128" }, "https://a.example", "http://proxy:3128/"],
    [{ https_proxy: "http://low:1", HTTPS_PROXY: "http://high:1" }, "https://a.example", "http://low:1/"],
    [{ HTTPS_PROXY: "http://proxy:3128" }, "http://a.example", undefined],
    [{ HTTP_PROXY: "http://proxy:3128" }, "http://a.example", "http://proxy:3128/"],
    [{ ALL_PROXY: "http://proxy:3128" }, "https://a.example", "http://proxy:3128/"],
    [{ HTTPS_PROXY: "" }, "https://a.example", undefined],
  ])("is read from %j for %s", (environment, url, expected) => {
    expect(proxy(url, environment as Record<string, string>)).toBe(expected);
  });

  it.each([
    ["*", "https://a.example", true],
    ["a.example", "https://a.example", true],
    ["example", "https://a.example", true],
    [".example", "https://a.example", true],
    ["*.example", "https://a.example", true],
    ["b.example, A.EXAMPLE", "https://a.example", true],
    ["a.example:443", "https://a.example", true],
    ["a.example:8443", "https://a.example", false],
    ["ample", "https://a.example", false],
    ["127.0.0.1", "https://127.0.0.1:3000", true],
    ["10.0.0.0/8", "https://10.2.3.4", true],
    ["10.0.0.0/8", "https://11.2.3.4", false],
    ["::1", "https://[::1]:3000", true],
    ["[::1]", "https://[::1]:3000", true],
    ["fd00::/8", "https://[fd12::1]", true],
    [" , ", "https://a.example", false],
  ])("is not used for what NO_PROXY=%j excludes: %s", (exceptions, url, excluded) => {
    const environment = { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: exceptions };
    expect(proxy(url, environment) === undefined).toBe(excluded);
  });

  it.each(["socks5://proxy:1080", "http://"])("is refused with the name of its variable where it is %j", (value) => {
    expect(() => proxy("https://a.example", { HTTPS_PROXY: value })).toThrow(/^HTTPS_PROXY is not the URL/);
  });
});

setUpTestDatabase();
const tool = setUpTool();

/** A name that no DNS knows, so that only the proxy reaches the console. */
const HOST = "console.invalid";
/** What the proxy was asked for. */
let asked: string[] = [];
let server: TestServer;
let secure: Server;
let proxy: Server;
let token: string;
let installer: string;
let authority: string;

const portOf = (one: Server) => (one.address() as AddressInfo).port;
const listen = (one: Server) => new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
const pem = (der: Uint8Array) => new X509Certificate(der).toString();

beforeAll(async () => {
  server = await serveOperations(Object.values(operations));
  const now = new Date();
  const root = await makeAuthority({ name: "Test", names: [HOST], now });
  const leaf = await issueForHosts(root.issuer, [HOST], now);
  authority = join(tool.folder, "authority.pem");
  writeFileSync(authority, pem(root.root));
  const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(leaf.privateKey).toString("base64")}\n-----END PRIVATE KEY-----\n`;
  secure = createTlsServer({ key, cert: [leaf.certificate, root.issuer.certificate].map(pem).join("") }, pass);
  proxy = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (incoming.headers["proxy-authorization"] !== `Basic ${Buffer.from("me:secret word").toString("base64")}`) {
      outgoing.writeHead(407).end();
      return;
    }
    pass(incoming, outgoing);
  });
  proxy.on("connect", (incoming, client) => {
    asked.push(`CONNECT ${incoming.url}`);
    const { "proxy-authorization": given } = incoming.headers;
    if (given !== `Basic ${Buffer.from("me:secret word").toString("base64")}`) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const onward = connect(portOf(secure), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(client);
      client.pipe(onward);
    });
    onward.on("error", () => client.destroy());
    client.on("error", () => onward.destroy());
  });
  await Promise.all([listen(secure), listen(proxy)]);
  const app = await anApp({ environments: [{ name: "Testing" }] });
  const { userId } = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
  token = (await aSession(userId)).token;
  installer = join(tool.folder, "Proxied.ipa");
  writeFileSync(installer, anIpa(app.identifier));
});

/** Passes a request on to the console. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { pathname, search } = new URL(incoming.url ?? "/", server.url);
  const options = { method: incoming.method, headers: { ...incoming.headers, host: new URL(server.url).host } };
  const passed = request(`${server.url}${pathname}${search}`, options, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(passed);
}

afterAll(async () => {
  for (const one of [secure, proxy]) {
    one.closeAllConnections();
    one.close();
  }
  await server.close();
});
beforeEach(() => {
  asked = [];
});

const address = (credentials: string) => `http://${credentials}127.0.0.1:${portOf(proxy)}`;

function upload(env: Record<string, string>, node?: string) {
  return tool.run(["upload", installer], {
    node,
    env: { SLIPWAY_TOKEN: token, NODE_EXTRA_CA_CERTS: authority, ...env },
  });
}

const nodes: [string, string | Error][] = [
  ["this Node.js", process.execPath],
  ["an older Node.js", olderNode()],
];
for (const [name, node] of nodes) {
  describeWith(node, `behind a proxy, with ${name}`, (file) => {
    it("publishes by HTTPS through a tunnel, in which the proxy sees no token", async () => {
      const env = { SLIPWAY_CONSOLE: `https://${HOST}`, HTTPS_PROXY: address("me:secret%20word@") };
      const { code, stderr } = await upload(env, file);
      expect(code, stderr).toBe(0);
      expect(new Set(asked)).toEqual(new Set([`CONNECT ${HOST}:443`]));
    });

    it("publishes by HTTP through the proxy", async () => {
      const env = { SLIPWAY_CONSOLE: `http://${HOST}`, HTTP_PROXY: address("me:secret%20word@") };
      const { code, stderr } = await upload(env, file);
      expect(code, stderr).toBe(0);
      expect(asked.some((line) => line.startsWith(`GET http://${HOST}/api/apps/get-publishing-places?`))).toBe(true);
    });
  });
}

describe("slipway doctor", () => {
  const tlsOf = async (env: Record<string, string>) => {
    const { stdout } = await tool.run(["doctor", `https://${HOST}`, "--json"], {
      env: { HTTPS_PROXY: address("me:secret%20word@"), ...env },
    });
    return (JSON.parse(stdout) as { check: string; state: string }[]).find(({ check }) => check === "TLS")?.state;
  };

  it("warns of an authority that only this machine trusts, and fails for one that it does not", async () => {
    expect(await tlsOf({ NODE_EXTRA_CA_CERTS: authority })).toBe("warning");
    expect(await tlsOf({})).toBe("failed");
  });
});

describe("a proxy that does not let through", () => {
  it("is named with its status, and its password is not", async () => {
    const env = { SLIPWAY_CONSOLE: `https://${HOST}`, HTTPS_PROXY: address("me:wrong@") };
    const { code, stderr } = await upload(env);
    expect(code).toBe(3);
    expect(stderr).toContain(`The proxy 127.0.0.1:${portOf(proxy)} refused the connection with status 407.`);
    expect(stderr).not.toContain("wrong");
  });

  it("is named where it cannot be reached", async () => {
    const env = { SLIPWAY_CONSOLE: `https://${HOST}`, HTTPS_PROXY: "http://127.0.0.1:9" };
    const { code, stderr } = await upload(env);
    expect([code, stderr]).toEqual([3, "The proxy 127.0.0.1:9 cannot be reached: ECONNREFUSED.\n"]);
  });

  it("is not asked for a console that NO_PROXY names", async () => {
    const env = { SLIPWAY_CONSOLE: server.url, HTTP_PROXY: address(""), NO_PROXY: "127.0.0.0/8" };
    const { code, stderr } = await upload(env);
    expect(code, stderr).toBe(0);
    expect(asked).toEqual([]);
  });
});
