import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { authorizeTool } from "@/lib/features/tool-sign-in/operations/authorize-tool";
import { getUserSessions } from "@/lib/features/users/operations/get-user-sessions";
import { operations } from "@/lib/operations";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { runInTerminal, terminal } from "./testing/terminal";
import { setUpTool } from "./testing/tool";

setUpTestDatabase();
const tool = setUpTool();

let server: TestServer;
let person: TestUser;

beforeAll(async () => {
  // The console signs what it answers about a token.
  await ensureServerKeys();
  server = await serveOperations(Object.values(operations));
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await aUser({ grants: [{ scopes: ["release:create"] }] });
});

const file = () => join(tool.configuration, "credentials.json");

/** What a person does in the browser with the address that the tool shows. @returns the address of the last redirection */
type Visit = (parameters: URLSearchParams) => Promise<unknown>;

/** Runs `slipway login` while a person answers in the browser. */
function login(visit: Visit) {
  let visited: Promise<unknown> | undefined;
  return tool.run(["login", server.url], {
    env: { BROWSER: "none" },
    onStderr: (_child, text) => {
      const address = /^http\S+authorize-tool\?(\S+)$/m.exec(text)?.[1];
      if (address && !visited) visited = visit(new URLSearchParams(address));
    },
  });
}

/** Fetches a URL with a Host header of one's own. */
function get(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location });
    })
      .on("error", reject)
      .end();
  });
}

const allow: Visit = async (parameters) => {
  const { body } = await send(authorizeTool, person, Object.fromEntries(parameters));
  return get(body.url);
};

describe("slipway login", () => {
  it("signs in by the browser and keeps the session in a file that only its owner reads", async () => {
    let last: unknown;
    const { code, stdout, stderr } = await login(async (parameters) => {
      last = await allow(parameters);
    });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`Signed in to ${server.url} as ${person.email}.`);
    expect(stderr).toContain("Where there is none, store an API token with `slipway login --token`.");
    expect(last).toEqual({ status: 303, location: `${server.url}/authorize-tool?result=done` });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(tool.configuration).mode & 0o777).toBe(0o700);
    const { token } = JSON.parse(readFileSync(file(), "utf8")).consoles[server.url];
    expect(stdout + stderr).not.toContain(token);

    const whoami = await tool.run(["whoami", "--json"]);
    expect(JSON.parse(whoami.stdout)).toMatchObject({ console: server.url, user: { email: person.email } });
    const { body } = await send(getUserSessions, person, {});
    expect(body.items[0].client).toEqual({ program: "slipway-cli", system: "Linux" });
  });

  it("ends with 1 where the person refuses, and keeps nothing", async () => {
    const { code, stderr } = await login((parameters) =>
      get(`${parameters.get("redirectUri")}?error=access_denied&state=${parameters.get("state")}`),
    );
    expect(code).toBe(1);
    expect(stderr).toContain("The sign-in was denied in the browser.");
  });

  it("takes no answer with another state, another host or another path, and goes on waiting", async () => {
    const refused: number[] = [];
    const { code } = await login(async (parameters) => {
      const address = new URL(parameters.get("redirectUri") as string);
      const forged = `${address.href}?code=x`;
      refused.push((await get(`${forged}&state=${"x".repeat(22)}`)).status);
      refused.push(
        (await get(`${forged}&state=${parameters.get("state")}`, { Host: `evil.example:${address.port}` })).status,
      );
      refused.push((await get(`${address.origin}/?code=x&state=${parameters.get("state")}`)).status);
      await allow(parameters);
    });
    expect(refused).toEqual([400, 404, 404]);
    expect(code).toBe(0);
  });

  it("refuses a code that is not the console's", async () => {
    const { code, stderr } = await login((parameters) =>
      get(`${parameters.get("redirectUri")}?code=forged&state=${parameters.get("state")}`),
    );
    expect(code).toBe(1);
    expect(stderr).toContain("The token is not valid");
  });

  it("signs in by a browser of another device with the code that it shows, which is typed here", async () => {
    let isAsked = false;
    const { code, stderr } = await tool.run(["login", "--no-browser", server.url], {
      keepStdin: true,
      onStderr: (child, text) => {
        const address = /^http\S+authorize-tool\?(\S+)$/m.exec(text)?.[1];
        if (!address || isAsked) return;
        isAsked = true;
        const parameters = Object.fromEntries(new URLSearchParams(address));
        void send(authorizeTool, person, parameters).then(({ body }) => void child.stdin?.end(`${body.code}\n`));
      },
    });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`Signed in to ${server.url} as ${person.email}.`);
  });

  it("refuses a code that is not the one that the browser shows", async () => {
    const { code, stderr } = await tool.run(["login", "--no-browser", server.url], { input: "AAAA-2222\n" });
    expect([code, stderr]).toEqual([1, expect.stringContaining("This is not the code, or it has expired.\n")]);
  });

  it("takes an API token from stdin", async () => {
    const app = await anApp();
    const { token } = await aToken({ appId: app.appId, environmentId: app.environmentIds[0] as string });
    const { code, stdout, stderr } = await tool.run(["login", "--token", server.url], { input: `${token}\n` });
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(token);
    expect((await tool.run(["whoami"])).stdout).toContain(
      `API token for ${app.name} / Testing at ${server.url}\nValid until `,
    );
  });

  it("refuses an API token that the console does not know", async () => {
    const { token, tokenId } = await (async () => {
      const app = await anApp();
      return aToken({ appId: app.appId, environmentId: app.environmentIds[0] as string });
    })();
    await db.apiToken.delete({ where: { id: tokenId } });
    const { code, stderr } = await tool.run(["login", "--token", server.url], { input: token });
    expect(code).toBe(1);
    expect(stderr).not.toContain(token);
  });

  it("does not repeat a token that is written in the place of the address", async () => {
    const { code, stderr } = await tool.run(["login", "slw_secret"]);
    expect(code).toBe(2);
    expect(stderr).not.toContain("slw_secret");
  });
});

describe("a console that slipway.json names", () => {
  /** A server that notes what it is sent, and a folder whose slipway.json names it. */
  async function aForeignFolder() {
    const headers: IncomingHttpHeaders[] = [];
    const web = createServer((incoming, outgoing) => {
      headers.push(incoming.headers);
      outgoing.writeHead(404).end();
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const folder = mkdtempSync(join(tool.folder, "foreign-"));
    writeFileSync(join(folder, "slipway.json"), JSON.stringify({ console: url }));
    return { url, folder, headers };
  }
  const token = `slw_${"x".repeat(50)}`;

  it.each([["whoami"], ["variables", "pull"], ["releases", "list"], ["doctor"], ["run", "--", "env"]])(
    "gets no token of SLIPWAY_TOKEN from %s",
    async (...words) => {
      const { url, folder, headers } = await aForeignFolder();
      const { code, stderr } = await tool.run(words, { folder, env: { SLIPWAY_TOKEN: token } });
      expect([code, stderr]).toEqual([
        2,
        `SLIPWAY_TOKEN is not sent to ${url}, which only slipway.json names.\nIf it is the console of the token, set SLIPWAY_CONSOLE=${url}, or use --console ${url}.\n`,
      ]);
      expect(headers).toEqual([]);
    },
  );

  it("gets the token where SLIPWAY_CONSOLE or --console names it, too", async () => {
    const { url, folder, headers } = await aForeignFolder();
    await tool.run(["whoami"], { folder, env: { SLIPWAY_TOKEN: token, SLIPWAY_CONSOLE: url } });
    await tool.run(["whoami", "--console", url], { folder, env: { SLIPWAY_TOKEN: token } });
    expect(headers.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  });

  it("gets no credential that is stored for another console", async () => {
    await login(allow);
    const { url, folder, headers } = await aForeignFolder();
    const { code, stderr } = await tool.run(["whoami"], { folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`You are not signed in to ${url}.`)]);
    expect(headers).toEqual([]);
  });

  it.each([[["login"]], [["login", "--token"]]])("is not signed in to by %j, unless it is named", async (words) => {
    const { url, folder, headers } = await aForeignFolder();
    const { code, stderr } = await tool.run(words, { folder, input: token });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`name it: slipway login ${url}\n`)]);
    expect(headers).toEqual([]);
  });
});

describeWith(terminal, "slipway login in a terminal of a machine without a browser", (program) => {
  it("asks for the code that a browser of another device shows", async () => {
    let isAsked = false;
    const { code, stdout } = await runInTerminal(program, tool, ["login", server.url], {
      onOutput: (keyboard, shown) => {
        const address = /^http\S+authorize-tool\?(\S+)$/m.exec(shown.replaceAll("\r", ""))?.[1];
        if (!address || !shown.includes("Code") || isAsked) return;
        isAsked = true;
        const parameters = Object.fromEntries(new URLSearchParams(address));
        void send(authorizeTool, person, parameters).then(({ body }) => void keyboard.write(`${body.code}\r`));
      },
    });
    expect(code, stdout).toBe(0);
    expect(readFileSync(file(), "utf8")).toContain(person.email);
  });
});

describe("the stored sign-in", () => {
  it("is one for each console, and --console chooses", async () => {
    const other = await serveOperations(Object.values(operations));
    await login(allow);
    const stored = JSON.parse(readFileSync(file(), "utf8"));
    stored.consoles[other.url] = { ...stored.consoles[server.url], token: "x".repeat(43) };
    writeFileSync(file(), JSON.stringify(stored));
    expect((await tool.run(["whoami"])).code).toBe(0);
    const { code, stderr } = await tool.run(["whoami", "--console", other.url]);
    await other.close();
    expect(code).toBe(1);
    expect(stderr).toContain("slipway login");
  });

  it("is closed to others again if its file was opened to them", async () => {
    await login(allow);
    chmodSync(file(), 0o644);
    expect((await tool.run(["whoami"])).code).toBe(0);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it("is kept alive by use, also where the clock of the machine was hours off", async () => {
    await login(allow);
    const stored = JSON.parse(readFileSync(file(), "utf8"));
    stored.consoles[server.url].refreshedAt = Date.now() + 5 * 3_600_000;
    writeFileSync(file(), JSON.stringify(stored));
    const soon = new Date(Date.now() + 60_000);
    await db.session.updateMany({ where: { userId: person.userId }, data: { expiresAt: soon } });
    expect((await tool.run(["whoami"])).code).toBe(0);
    const session = await db.session.findFirstOrThrow({ where: { userId: person.userId }, orderBy: { id: "desc" } });
    expect(session.expiresAt.getTime()).toBeGreaterThan(soon.getTime());
  });

  it("says that its file is damaged, and what to do", async () => {
    writeFileSync(file(), "{");
    const { code, stderr } = await tool.run(["whoami"]);
    writeFileSync(file(), "{}");
    expect(code).toBe(2);
    expect(stderr).toContain("credentials.json is damaged.");
  });

  it("ends by logout, at the console too", async () => {
    await login(allow);
    const before = await db.session.count({ where: { userId: person.userId } });
    expect((await tool.run(["logout"])).code).toBe(0);
    expect(await db.session.count({ where: { userId: person.userId } })).toBe(before - 1);
    expect(existsSync(file()) && readFileSync(file(), "utf8")).not.toContain(server.url);
    const { code, stdout, stderr } = await tool.run(["whoami", "--console", server.url, "--json"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`You are not signed in to ${server.url}.`);
    expect(JSON.parse(stdout).code).toBe("not_authenticated");
  });
});
