import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureServerKeys, publicKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { anApp, aToken, aUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { projectDir } from "@/scripts/lib/files.mjs";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getLatestRelease } from "./operations/get-latest-release";
import { SAMPLE_VALUES, stringLiteral, UPDATE_EXAMPLES, type UpdateLanguage, updateExampleWith } from "./rules";
import { getLatestReleaseInput, latestReleaseSchema } from "./schema";

setUpTestDatabase();

const LANGUAGES = Object.keys(UPDATE_EXAMPLES) as UpdateLanguage[];

describe.each(LANGUAGES)("the function that finds updates, in %s", (language) => {
  const code = UPDATE_EXAMPLES[language];

  it("asks the operation with its own parameters and headers", () => {
    expect(code).toContain("/api/client/get-latest-release");
    for (const name of Object.keys(getLatestReleaseInput.shape)) expect(code).toMatch(new RegExp(`\\b${name}\\b`));
    for (const header of ["Authorization", "X-App-Identifier", "X-Nonce"]) expect(code).toContain(header);
    expect(code).toMatch(/x-signature/i);
  });

  it("reads what the operation answers", () => {
    const fields = [...code.matchAll(/\b(updateAvailable|mandatory|release|installUrl)\b/g)].map(([name]) => name);
    expect(new Set(fields)).toEqual(new Set(Object.keys(latestReleaseSchema.shape)));
    expect(code).toContain("version");
  });

  it("checks the algorithm, the form of the signature, the request and the nonce", () => {
    expect(code).toContain("EdDSA");
    for (const claim of ["alg", "b64", "url", "nonce"])
      expect(code).toMatch(new RegExp(`claims?\\W.{0,16}\\b${claim}\\b`, "s"));
  });

  it("takes the nonce from the generator of the system that nobody can predict", () => {
    expect(code).toMatch(/getRandomValues|UUID\(\)|randomUUID|Random\.secure|RandomNumberGenerator/);
    expect(code).not.toContain("Math.random");
  });

  it("contains the address and the key once, and is filled with those of a console", () => {
    const values = { baseUrl: "https://console.test", publicKey: "k".repeat(43) };
    const filled = updateExampleWith(language, values);
    for (const name of ["baseUrl", "publicKey"] as const) {
      expect(code.split(stringLiteral(language, SAMPLE_VALUES[name]))).toHaveLength(2);
      expect(filled.split(stringLiteral(language, values[name]))).toHaveLength(2);
    }
    expect(filled).not.toContain("slw_");
  });
});

describe("the function for React Native", () => {
  const root = mkdtempSync(join(tmpdir(), "slipway-update-"));
  let server: TestServer;
  let network: { url: string; close(): void };
  let place: { identifier: string; environmentId: string };
  let token: string;
  let publicKey: string;
  /** What somebody between the app and the console does with an answer; null cuts the connection. */
  let onTheWay: (body: Buffer, headers: Record<string, string>) => [Buffer, Record<string, string>] | null;

  beforeAll(async () => {
    await ensureServerKeys();
    publicKey = (await publicKeys()).find(({ use }) => use === "sig")?.x as string;
    const admin = await aUser({ admin: true });
    const { appId, identifier, environmentIds } = await anApp();
    place = { identifier, environmentId: environmentIds[0] as string };
    const given = {
      appId,
      environmentId: place.environmentId,
      scopes: ["release:read" as const],
      identifiers: [identifier],
    };
    token = (await aToken(given)).token;
    const { id } = await aRelease(admin, place, { version: "1.2", build: "7" });
    await db.release.update({ where: { id }, data: { mandatory: true } });
    await aRelease(admin, place, { version: "1.10", build: "9" });
    server = await serveOperations([getLatestRelease]);
    const proxy = createServer(async ({ url, headers }, outgoing) => {
      const names = ["authorization", "x-app-identifier", "x-nonce"];
      const sent = Object.entries(headers).filter(([name]) => names.includes(name)) as [string, string][];
      const response = await fetch(server.url + url, { headers: sent });
      const answer = onTheWay(Buffer.from(await response.arrayBuffer()), Object.fromEntries(response.headers));
      if (answer === null) return outgoing.destroy();
      outgoing.writeHead(response.status, answer[1]).end(answer[0]);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    network = { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
  });
  beforeEach(() => {
    onTheWay = (body, headers) => [body, headers];
  });
  afterAll(async () => {
    await server.close();
    network.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** Runs the function in an app of a version. @returns what it returns, or the message of its error */
  async function find(version: string, build = "1", presented = token): Promise<unknown> {
    const folder = mkdtempSync(join(root, "app-"));
    const modules = join(folder, "node_modules");
    const write = (name: string, code: string) => {
      mkdirSync(join(modules, name), { recursive: true });
      writeFileSync(join(modules, name, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
      writeFileSync(join(modules, name, "index.js"), code);
    };
    write("react-native", `export const Platform = { OS: "ios" };`);
    write(
      "react-native-device-info",
      `export default { getVersion: () => ${JSON.stringify(version)}, getBuildNumber: () => ${JSON.stringify(build)},
         getBundleId: () => ${JSON.stringify(place.identifier)} };`,
    );
    // Node.js has what it adds to React Native.
    write("react-native-get-random-values", "");
    symlinkSync(join(projectDir, "node_modules", "@noble"), join(modules, "@noble"));
    writeFileSync(
      join(folder, "slipway-build.mts"),
      `export const ANDROID_CERTIFICATE = ""; export const SLIPWAY_TOKEN = ${JSON.stringify(presented)};`,
    );
    const code = updateExampleWith("reactNative", { baseUrl: network.url, publicKey });
    // Metro finds the module without its extension, Node.js does not.
    writeFileSync(join(folder, "update.mts"), code.replace(`"./slipway-build"`, `"./slipway-build.mts"`));
    writeFileSync(
      join(folder, "app.mts"),
      `import { findUpdate } from "./update.mts";
       console.log(JSON.stringify(await findUpdate().catch((error) => error.message)));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", join(folder, "app.mts")]);
    return JSON.parse(stdout);
  }

  it("returns a newer release, and whether one of the newer ones is mandatory", async () => {
    expect(await find("1.0")).toMatchObject({ version: "1.10", isMandatory: true });
    expect(await find("1.3")).toMatchObject({ version: "1.10", isMandatory: false });
    expect(await find("1.10", "8")).toMatchObject({ installUrl: expect.stringContaining("/releases?id=") });
    expect(await find("1.10", "9")).toBeNull();
  });

  it("returns nothing if the console cannot be reached, or something else answers", async () => {
    onTheWay = () => null;
    expect(await find("1.0")).toBeNull();
    onTheWay = (_body, { "x-signature": _, ...headers }) => [
      Buffer.from("<html>"),
      { ...headers, "content-length": "6" },
    ];
    expect(await find("1.0")).toBeNull();
  });

  it("refuses a changed response, and the response to another request", async () => {
    onTheWay = (body, headers) => [Buffer.from(body.toString().replace('"1.10"', '"6.66"')), headers];
    expect(await find("1.0")).toBe("The signature is wrong.");
    let kept: [Buffer, Record<string, string>] | undefined;
    onTheWay = (body, headers) => {
      kept ??= [body, headers];
      return kept;
    };
    expect(await find("1.10", "9")).toBeNull();
    expect(await find("1.0")).toBe("The response is not to this request.");
  });

  it("says that a token is not valid", async () => {
    expect(await find("1.0", "1", `${token.slice(0, -4)}aaaa`)).toBe("The API token is not valid for this app.");
  });
});
