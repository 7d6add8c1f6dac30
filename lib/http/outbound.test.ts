import { X509Certificate } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { makeSigningIdentity } from "@slipway/installers/testing";
import fc from "fast-check";
import { custom, Issuer } from "openid-client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isPublicAddress, makeOutbound, OutboundError } from "./outbound";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on a loopback address. @returns its port */
async function serve(listener: RequestListener, host = "127.0.0.1", port = 0): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof OutboundError ? error.failure : `not an OutboundError: ${error}`),
  );

/** Resolves every name to the given addresses, one list per call. */
function resolver(...answers: string[][]): LookupFunction {
  let calls = 0;
  return (_name, _options, callback) => {
    const addresses = answers[Math.min(calls++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
}

const dotted = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
const hextets = (high: number, rest: number[]) => [high, ...rest].map((part) => part.toString(16)).join(":");

/** The ranges, once more and by arithmetic: first address and prefix length. */
const PRIVATE_IPV4: [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0xe0000000, 3],
];
const inRange = (address: number, [base, prefix]: [number, number]) => (address ^ base) >>> (32 - prefix) === 0;

/** Ways to write one IPv4 address that a URL understands. */
const spellings = (address: number): string[] => {
  const [a, b, c, d] = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255) as [number, number, number, number];
  const hex = (part: number) => `0x${part.toString(16)}`;
  const octal = (part: number) => `0${part.toString(8)}`;
  return [
    `${a}.${b}.${c}.${d}`,
    String(address >>> 0),
    hex(address >>> 0),
    octal(address >>> 0),
    [a, b, c, d].map(hex).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${hex(a)}.${octal(b)}.${(c << 8) | d}`,
    `${a}.${b}.${c}.${d}.`,
  ];
};

describe("an address", () => {
  it("of a private, loopback, link-local, carrier or multicast IPv4 range is never public", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PRIVATE_IPV4), fc.integer({ min: 0, max: 0xffffffff }), ([base, prefix], bits) => {
        const address = (base | (bits & (0xffffffff >>> prefix))) >>> 0;
        expect(isPublicAddress(dotted(address)), dotted(address)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it("of the rest of IPv4 is public, but for documentation, benchmarks and protocols", () => {
    const reserved = /^(192\.0\.[02]\.|192\.88\.99\.|198\.1[89]\.|198\.51\.100\.|203\.0\.113\.)/;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (bits) => {
        const address = bits >>> 0;
        const text = dotted(address);
        const expected = !PRIVATE_IPV4.some((range) => inRange(address, range)) && !reserved.test(text);
        expect(isPublicAddress(text), text).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it("of IPv6 is public only within 2000::/3, whatever stands behind", () => {
    const rest = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), rest, (high, tail) => {
        const address = hextets(high, tail);
        const special =
          high === 0x2002 || (high === 0x2001 && (tail[0] as number) < 0x200) || (high === 0x2001 && tail[0] === 0xdb8);
        const documentation = high === 0x3fff && (tail[0] as number) < 0x1000;
        expect(isPublicAddress(address), address).toBe(high >>> 13 === 1 && !special && !documentation);
      }),
      { numRuns: 5_000 },
    );
  });

  it("of IPv4 in IPv6 clothes is never public: mapped, compatible, NAT64, 6to4, in either notation", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (bits) => {
        const [high, low] = [(bits >>> 16).toString(16), (bits & 0xffff).toString(16)];
        for (const address of [
          `::ffff:${dotted(bits)}`,
          `::ffff:${high}:${low}`,
          `0:0:0:0:0:ffff:${high}:${low}`,
          `::${high}:${low}`,
          `64:ff9b::${dotted(bits)}`,
          `2002:${high}:${low}::1`,
        ]) {
          expect(isPublicAddress(address), address).toBe(false);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "2001:0:1::1",
    "localhost",
    "127.1",
    "0x7f000001",
    "",
  ])("%j is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["1.1.1.1", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "2606:4700::1111", "2a00:1450::5"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("a URL", () => {
  const outbound = makeOutbound([]);

  it("that names a private IPv4 address is refused however it is written", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PRIVATE_IPV4), fc.integer({ min: 0, max: 0xffffffff }), ([base, prefix], bits) => {
        const address = (base | (bits & (0xffffffff >>> prefix))) >>> 0;
        for (const host of spellings(address)) {
          expect(outbound.problem(new URL(`https://${host}/`)), host).toBe("forbidden_address");
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["https://[::1]/", "forbidden_address"],
    ["https://[::ffff:7f00:1]/", "forbidden_address"],
    ["https://[::ffff:127.0.0.1]:8443/", "forbidden_address"],
    ["https://[fe80::1]/", "forbidden_address"],
    ["http://gitlab.com/", "insecure"],
    ["http://1.1.1.1/", "insecure"],
    ["ftp://gitlab.com/", "insecure"],
    ["https://gitlab.com/", null],
    ["https://1.1.1.1/", null],
  ])("%s: %s", (url, problem) => {
    expect(outbound.problem(new URL(url))).toBe(problem);
  });

  it("of a listed name, address or range is let through, over plain http too", () => {
    const listed = makeOutbound(["gitlab.internal", "10.1.0.0/16", "fd00::5"]);
    for (const url of [
      "http://gitlab.internal:8080/",
      "https://GITLAB.internal./",
      "http://10.1.2.3/",
      "http://[fd00::5]/",
    ]) {
      expect(listed.problem(new URL(url)), url).toBeNull();
    }
    expect(listed.problem(new URL("https://10.2.0.1/"))).toBe("forbidden_address");
    expect(listed.problem(new URL("https://[fd00::6]/"))).toBe("forbidden_address");
  });

  it("over plain http is let through to public addresses alone, where that is said", async () => {
    const plain = makeOutbound([], { plainHttp: true, lookup: resolver(["127.0.0.1"]) });
    expect(plain.problem(new URL("http://ocsp.apple.com/"))).toBeNull();
    expect(plain.problem(new URL("http://1.1.1.1/"))).toBeNull();
    expect(plain.problem(new URL("http://10.0.0.1/"))).toBe("forbidden_address");
    expect(await failureOf(plain.fetch("http://rebound.example/"))).toBe("forbidden_address");
  });
});

describe("a request", () => {
  it("to a loopback address is not made", async () => {
    let asked = 0;
    const port = await serve((_request, response) => {
      asked++;
      response.end();
    });
    const { fetch } = makeOutbound([]);
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"]) {
      for (const scheme of ["http", "https"]) {
        expect(await failureOf(fetch(`${scheme}://${host}:${port}/`)), `${scheme}://${host}`).toBe("forbidden_address");
      }
    }
    expect(asked).toBe(0);
  });

  it("to a name that resolves to a private address beside a public one is not made", async () => {
    const { fetch } = makeOutbound([], { lookup: resolver(["1.1.1.1", "10.0.0.1"]) });
    expect(await failureOf(fetch("https://rebound.example/"))).toBe("forbidden_address");
  });

  it("connects to the address that was checked, and the next request is checked again", async () => {
    const seen: string[] = [];
    const port = await serve((_request, response) => response.end(String(seen.push("good"))));
    await serve((_request, response) => response.end(String(seen.push("evil"))), "127.0.0.2", port);
    const { fetch } = makeOutbound(["127.0.0.1"], { lookup: resolver(["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]) });
    expect(await (await fetch(`http://rebound.example:${port}/`)).text()).toBe("1");
    expect(await failureOf(fetch(`http://rebound.example:${port}/`))).toBe("forbidden_address");
    await fetch(`http://rebound.example:${port}/`);
    expect(seen).toEqual(["good", "good"]);
  });

  it("carries method, headers and body, and gives back status, headers and body", async () => {
    const port = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(418, {
        "x-said": `${request.method} ${request.headers["content-type"]}`,
        "set-cookie": ["a=1", "b=2"],
      });
      response.end(body);
    });
    const answer = await makeOutbound(["127.0.0.1"]).fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body: new URLSearchParams({ a: "1 2" }),
    });
    expect(answer.status).toBe(418);
    expect(answer.headers.get("x-said")).toBe("POST application/x-www-form-urlencoded;charset=UTF-8");
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await answer.text()).toBe("a=1+2");
  });

  it("does not follow a redirect", async () => {
    let asked = 0;
    const port = await serve((_request, response) => {
      asked++;
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    expect(await failureOf(makeOutbound(["127.0.0.1"]).fetch(`http://127.0.0.1:${port}/`))).toBe("redirected");
    expect(asked).toBe(1);
  });

  it("is cut where the answer grows beyond 1 MiB", async () => {
    const port = await serve((_request, response) => {
      const chunk = Buffer.alloc(65_536);
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", pour);
      pour();
    });
    expect(await failureOf(makeOutbound(["127.0.0.1"]).fetch(`http://127.0.0.1:${port}/`))).toBe("too_large");
  });

  it("fails where the server wants to speak another protocol", async () => {
    const port = await serve((_request, response) => {
      response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
    });
    expect(await failureOf(makeOutbound(["127.0.0.1"]).fetch(`http://127.0.0.1:${port}/`))).toBe("unreachable");
  });

  it("is given up after ten seconds, even while bytes trickle in", async () => {
    const waiting = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      response.write("…");
      waiting.resolve();
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const failure = failureOf(makeOutbound(["127.0.0.1"]).fetch(`http://127.0.0.1:${port}/`));
      await waiting.promise;
      vi.advanceTimersByTime(10_000);
      expect(await failure).toBe("timeout");
    } finally {
      vi.useRealTimers();
    }
  });

  it("says that nobody answers, that a name does not exist, that a certificate is not trusted", async () => {
    const port = await serve(() => undefined);
    servers.pop()?.close();
    expect(await failureOf(makeOutbound(["127.0.0.1"]).fetch(`http://127.0.0.1:${port}/`))).toBe("unreachable");
    expect(await failureOf(makeOutbound([], { lookup: resolver([]) }).fetch("https://nobody.example/"))).toBe(
      "unknown_host",
    );
    const { privateKey, certificate } = makeSigningIdentity({ name: "localhost" });
    const key = privateKey.export({ type: "pkcs8", format: "pem" });
    const cert = new X509Certificate(certificate).toString();
    const tls = createTlsServer({ key, cert }, (_request, response) => response.end());
    await new Promise<void>((resolve) => tls.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = tls.address() as AddressInfo;
      expect(await failureOf(makeOutbound(["127.0.0.1"]).fetch(`https://127.0.0.1:${port}/`))).toBe("tls");
    } finally {
      tls.close();
    }
  });
});

describe("openid-client with the agent", () => {
  const discover = (issuer: string, outbound: ReturnType<typeof makeOutbound>) => {
    class GuardedIssuer extends Issuer {}
    (GuardedIssuer as unknown as Record<symbol, unknown>)[custom.http_options] = (url: URL) => ({
      agent: outbound.agent(url),
      timeout: 10_000,
    });
    return (GuardedIssuer as typeof Issuer).discover(issuer);
  };

  it("discovers an issuer that is listed", async () => {
    const port: number = await serve((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ issuer: `http://127.0.0.1:${port}` }));
    });
    const issuer = await discover(`http://127.0.0.1:${port}`, makeOutbound(["127.0.0.1"]));
    expect(issuer.metadata.issuer).toBe(`http://127.0.0.1:${port}`);
  });

  it("is refused a loopback issuer, a name that resolves to one, and an endless answer", async () => {
    let asked = 0;
    const port = await serve((_request, response) => {
      asked++;
      const chunk = Buffer.alloc(65_536);
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", pour);
      pour();
    });
    await expect(discover(`http://127.0.0.1:${port}`, makeOutbound([]))).rejects.toThrow("forbidden_address");
    await expect(discover(`http://localhost:${port}`, makeOutbound([]))).rejects.toThrow("forbidden_address");
    expect(asked).toBe(0);
    await expect(discover(`http://127.0.0.1:${port}`, makeOutbound(["127.0.0.1"]))).rejects.toThrow();
    expect(asked).toBe(1);
  });
});
