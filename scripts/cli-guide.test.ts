import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { collect, type Run, setUpTool } from "@/cli/src/testing/tool";
import { serveConsole, type WholeConsole } from "@/cli/src/testing/whole-console";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { authorizeTool } from "@/lib/features/tool-sign-in/operations/authorize-tool";
import { operations } from "@/lib/operations";
import { configure } from "@/lib/testing/client";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { anIpa } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { projectDir } from "./lib/files.mjs";
import { findPrograms } from "./lib/programs";

// Follows docs/cli.md: each of its blocks is run as it is written, with the address of a console of the test.

setUpTestDatabase();
const tool = setUpTool();
const guide = readFileSync(join(projectDir, "docs", "cli.md"), "utf8").split("\n## Commands\n")[0] ?? "";
const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

let server: TestServer;
let web: WholeConsole;
let app: Awaited<ReturnType<typeof anApp>>;
let person: TestUser;

const bin = () => join(tool.folder, "bin");
const home = () => join(tool.folder, "home");

/** The block that contains a text, with the address of the test's console and its folder for programs. */
function block(part: string): string {
  const found = blocks.filter(({ text }) => text.includes(part));
  expect(found.length, part).toBe(1);
  return (found[0]?.text ?? "").replaceAll("https://slipway.example.com", web.url).replaceAll("/usr/local/bin", bin());
}

/** Runs a block in an empty environment. */
function follow(
  script: string,
  variables: Record<string, string> = {},
  options: { input?: string; onStderr?(text: string): void } = {},
): Promise<Run> {
  const path = [bin(), dirname(process.execPath), process.env.PATH].join(":");
  const env = { PATH: path, HOME: home(), NODE_ENV: "production" as const, BROWSER: "none", ...variables };
  const child = spawn("bash", ["--norc", "-eo", "pipefail", "-c", script], { cwd: tool.folder, env });
  return collect(child, { input: options.input, onStderr: (_child, text) => options.onStderr?.(text) });
}

it("has no block that is not followed here", () => {
  expect(blocks.map(({ language, text }) => [language, text.split("\n")[0]])).toEqual([
    ["sh", "curl -fsSLO https://slipway.example.com/cli/slipway.mjs"],
    ["sh", "slipway login https://slipway.example.com"],
    ["json", "{"],
    ["sh", "slipway upload build/Acme.ipa --environment Testing --notes-from-git"],
    ["sh", "slipway variables push .env.staging --environment Staging"],
  ]);
});

describeWith(findPrograms("bash", "curl", "git", "sha256sum"), "docs/cli.md", () => {
  beforeAll(async () => {
    // The console signs what it answers about a token.
    await ensureServerKeys();
    server = await serveOperations(Object.values(operations));
    web = await serveConsole(server, tool);
    app = await anApp({ identifier: "com.acme.app", environments: [{ name: "Testing" }, { name: "Staging" }] });
    const scopes = ["release:create", "dev-variable:write", "secure-variable:write"] as const;
    person = await aUser({ grants: [{ scopes: [...scopes], apps: [{ appId: app.appId }] }] });
    await withTwoFactor(person, { passed: true });
    for (const folder of [bin(), home(), join(tool.folder, "build")]) mkdirSync(folder);
    writeFileSync(join(bin(), "sudo"), '#!/bin/sh\nexec "$@"\n');
    chmodSync(join(bin(), "sudo"), 0o755);
    writeFileSync(join(tool.folder, "build", "Acme.ipa"), anIpa("com.acme.app"));
    writeFileSync(join(tool.folder, ".env.staging"), "API_URL=https://api.example.com\n");
    writeFileSync(join(tool.folder, "package.json"), '{ "scripts": { "start": "echo $API_URL $STRIPE_KEY" } }');
    const git = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"];
    execFileSync("git", ["init", "--quiet"], { cwd: tool.folder });
    execFileSync("git", [...git, "commit", "--quiet", "--allow-empty", "--message", "Fixes the login"], {
      cwd: tool.folder,
    });
    const fetched = await follow(block("curl -fsSLO"));
    expect(fetched.code, fetched.stderr).toBe(0);
    expect(fetched.stdout).toContain("slipway.mjs: OK");
    writeFileSync(join(tool.folder, "slipway.json"), block('"environment": "Testing"'));
  });
  afterAll(async () => {
    await web.close();
    await server.close();
  });

  it("signs in, publishes, and sets and uses variables", async () => {
    let visited = false;
    const login = await follow(
      block("slipway login"),
      {},
      {
        onStderr: (text) => {
          const address = /^http\S+authorize-tool\?(\S+)$/m.exec(text)?.[1];
          if (!address || visited) return;
          visited = true;
          const parameters = Object.fromEntries(new URLSearchParams(address));
          void send(authorizeTool, person, parameters).then(({ body }) => fetch(body.url, { redirect: "manual" }));
        },
      },
    );
    expect(login.code, login.stderr).toBe(0);

    const upload = await follow(block("--notes-from-git"));
    expect(upload.code, upload.stderr).toBe(0);
    const release = await db.release.findFirstOrThrow({ where: { environmentId: app.environmentIds[0] } });
    expect(release.description).toBe("- Fixes the login");

    const passed = { secondFactorAt: new Date(), secondFactorConfirmedAt: new Date() };
    await db.session.updateMany({ where: { userId: person.userId }, data: passed });
    const [push = "", set = "", start = ""] = block("variables push").trim().split("\n");
    // Nobody can be asked here.
    expect((await follow(push)).stderr).toContain("Confirm the changes with --yes.");
    expect((await follow(`${push} --yes`)).code).toBe(0);
    expect((await follow(set, {}, { input: "sk_test" })).code).toBe(0);
    const started = await follow(start);
    expect(started.code, started.stderr).toBe(0);
    expect(started.stdout).toContain("https://api.example.com sk_test");
  });

  it("publishes in a container: with a token and nothing else, and a home that cannot be written", async () => {
    const environmentId = app.environmentIds[0] as string;
    const { token } = await aToken({ appId: app.appId, environmentId, scopes: ["release:create"] });
    writeFileSync(join(tool.folder, "build", "Acme.ipa"), anIpa("com.acme.app", { version: "2.0" }));
    const { code, stdout, stderr } = await follow(block("--notes-from-git"), {
      SLIPWAY_TOKEN: token,
      SLIPWAY_CONSOLE: web.url,
      HOME: "/dev/null",
    });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^http\S+\n$/);
  });

  it("runs a command with variables of an environment that a token names by its ID", async () => {
    const environmentId = app.environmentIds[0] as string;
    const { token } = await aToken({ appId: app.appId, environmentId, scopes: ["dev-variable:read"] });
    await configure(environmentId, [{ kind: "dev-variable", key: "COLOR", value: "blue" }]);
    const script = `slipway run --environment ${environmentId} -- env`;
    const { code, stdout, stderr } = await follow(script, { SLIPWAY_TOKEN: token, SLIPWAY_CONSOLE: web.url });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("COLOR=blue\n");
    expect(stdout).not.toContain(token);
  });
});
