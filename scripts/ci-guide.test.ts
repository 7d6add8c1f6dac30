import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { collect, type Run, setUpTool } from "@/cli/src/testing/tool";
import { serveConsole, type WholeConsole } from "@/cli/src/testing/whole-console";
import { db } from "@/lib/db/client";
import { routes } from "@/lib/routes";
import { anApp, aToken } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { anApk, anIpa } from "@/lib/testing/releases";
import { serveRoutes, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { projectDir } from "./lib/files.mjs";
import { INPUTS } from "./lib/integrations";
import { findPrograms } from "./lib/programs";

// Follows docs/ci.md and docs/moving-to-slipway.md: their commands are run as they are written, with the address of a console of
// the test. e2e/ci.spec.ts runs the request without the tool.

setUpTestDatabase();
const tool = setUpTool();

/** The blocks of a guide in one language. */
function blocksOf(guide: string, language: string): string[] {
  const text = readFileSync(join(projectDir, "docs", guide), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, its, block = ""]) =>
    its === language ? [block] : [],
  );
}

let server: TestServer;
let web: WholeConsole;
let environmentId: string;
let token: string;
let build = 0;

beforeAll(async () => {
  server = await serveRoutes(routes);
  web = await serveConsole(server, tool);
  cpSync(join(projectDir, "integrations"), dirname(tool.file), { recursive: true });
  const app = await anApp({ identifier: "com.acme.app", environments: [{ name: "Staging" }] });
  environmentId = app.environmentIds[0] as string;
  ({ token } = await aToken({ appId: app.appId, environmentId, scopes: ["release:create", "release:read"] }));
  mkdirSync(join(tool.folder, "build"));
  mkdirSync(join(tool.folder, "app"));
});
afterAll(async () => {
  await web.close();
  await server.close();
});
beforeEach(async () => {
  build += 1;
  writeFileSync(join(tool.folder, "build", "Acme.ipa"), anIpa("com.acme.app", { version: `1.0.${build}` }));
  writeFileSync(join(tool.folder, "build", "Acme.apk"), await anApk("com.acme.app", { versionName: `1.0.${build}` }));
});

/** The block that contains a text, with the address of the test's console. */
function block(guide: string, language: string, part: string): string {
  const found = blocksOf(guide, language)
    .map((one) => one.replaceAll("https://slipway.example.com", web.url))
    .filter((one) => one.includes(part));
  expect(found.length, part).toBe(1);
  return found[0] ?? "";
}

function runProgram(words: readonly [string, ...string[]], variables: Record<string, string> = {}): Promise<Run> {
  const path = [dirname(process.execPath), process.env.PATH].join(":");
  const env = { PATH: path, NODE_ENV: "production" as const, HOME: "/nonexistent", SLIPWAY_TOKEN: token, ...variables };
  const [program, ...rest] = words;
  return collect(spawn(program, rest, { cwd: tool.folder, env }));
}

const shell = (script: string, variables?: Record<string, string>) =>
  runProgram(["bash", "--norc", "-eo", "pipefail", "-c", script], variables);

const newestRelease = () => db.release.findFirstOrThrow({ orderBy: { id: "desc" }, include: { file: true } });

/** A file that a block of the guide has fetched. */
const fetched = (path: string) => readFileSync(join(tool.folder, path), "utf8");

describeWith(findPrograms("bash", "curl"), "docs/ci.md", () => {
  const guide = "ci.md";

  it.each([
    ["github-action/action.yml", [".github/actions/slipway/action.yml", ".github/actions/slipway/publish.mjs"]],
    ["bitrise/step.yml", ["bitrise/slipway/step.yml", "bitrise/slipway/step.sh"]],
    ["fastlane/slipway.rb", ["fastlane/actions/slipway.rb"]],
    ["gradle/slipway.gradle.kts", ["slipway.gradle.kts"]],
  ])("puts the files of %s into a repository", async (part, files) => {
    const { code, stderr } = await shell(block(guide, "sh", part));
    expect(code, stderr).toBe(0);
    for (const file of files) {
      const [integration, name] = [part.split("/")[0] as string, file.split("/").at(-1) as string];
      expect(fetched(file)).toBe(readFileSync(join(projectDir, "integrations", integration, name), "utf8"));
    }
  });

  it("publishes by the step of GitHub Actions", async () => {
    const [step] = parse(block(guide, "yaml", "uses: ./.github")) as [{ uses: string; with: Record<string, string> }];
    const action = parse(fetched(join(step.uses, "action.yml"))) as { inputs: object; runs: { main: string } };
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
    const given = { ...step.with, token, file: "build/Acme.apk" };
    const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
    const { code, stderr } = await runProgram([process.execPath, join(step.uses, action.runs.main)], {
      GITHUB_ACTIONS: "true",
      GITHUB_OUTPUT: join(tool.folder, "github-output"),
      ...Object.fromEntries(variables),
    });
    expect(code, stderr).toBe(0);
    expect(fetched("github-output")).toContain(`release-id=${(await newestRelease()).id}\n`);
  });

  it("includes a component of GitLab that is there, with inputs that it has", async () => {
    const { include } = parse(block(guide, "yaml", "remote:")) as {
      include: [{ remote: string; inputs: Record<string, string> }];
    };
    const response = await fetch(include[0].remote);
    expect(response.status).toBe(200);
    const known = INPUTS.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(include[0].inputs)));
  });

  it("publishes by the step of Bitrise", async () => {
    const [step] = parse(block(guide, "yaml", "path::./bitrise")) as [
      Record<string, { inputs: Record<string, string>[] }>,
    ];
    const inputs = Object.assign({}, ...(Object.values(step)[0]?.inputs ?? []));
    // The program of Bitrise that passes outputs on.
    writeFileSync(join(tool.folder, "envman"), "#!/bin/sh\n", { mode: 0o755 });
    const { code, stderr } = await runProgram(["bash", "bitrise/slipway/step.sh"], {
      PATH: [tool.folder, dirname(process.execPath), process.env.PATH].join(":"),
      ...inputs,
      SLIPWAY_TOKEN: token,
      SLIPWAY_FILE: "build/Acme.ipa",
      SLIPWAY_NOTES: "From Bitrise",
    });
    expect(code, stderr).toBe(0);
    expect(await newestRelease()).toMatchObject({ environmentId, description: "From Bitrise" });
  });

  it("names options of fastlane and properties of Gradle that exist", () => {
    const names = INPUTS.map(({ name }) => name);
    const lane = block(guide, "ruby", "slipway(");
    const options = [...lane.slice(lane.indexOf("slipway(")).matchAll(/^ +(\w+):/gm)].map(([, name]) => name);
    expect(options).toEqual(["console", "notes"]);
    expect(names).toEqual(expect.arrayContaining(options.map((name) => name?.replaceAll("_", "-"))));
    const properties = block(guide, "sh", "publishToSlipway");
    const used = [...properties.matchAll(/slipway\.([\w-]+)=/g)].map(([, name]) => name);
    expect(used.length).toBeGreaterThan(2);
    expect(names).toEqual(expect.arrayContaining(used));
  });
});

describeWith(findPrograms("bash", "curl"), "the other ways of docs/ci.md", () => {
  const guide = "ci.md";

  it("publish by the command-line tool, with the commits since the last tag", async (context) => {
    const git = findPrograms("git");
    if (git instanceof Error) context.skip(git.message);
    cpSync(join(tool.folder, "build", "Acme.ipa"), join(tool.folder, "build", "app.ipa"));
    const commit = `git init -q && git -c user.name=A -c user.email=a@example.com commit -q --allow-empty -m "Fixes the login"`;
    const { code, stderr } = await shell(`${commit}\n${block(guide, "sh", "node slipway.mjs upload")}`);
    expect(code, stderr).toBe(0);
    expect(await newestRelease()).toMatchObject({
      environmentId,
      description: expect.stringContaining("Fixes the login"),
    });
  });

  it("publish a file in parts, by requests", async (context) => {
    const jq = findPrograms("jq");
    if (jq instanceof Error) context.skip(jq.message);
    const { code, stdout, stderr } = await shell(block(guide, "sh", "files/create-upload"));
    expect(code, stdout + stderr).toBe(0);
    const { id, description } = await newestRelease();
    expect(stdout).toMatch(new RegExp(`^https?://\\S+/releases\\?id=${id}\n$`));
    expect(description).toBe("Fixes the login");
  });
});

describeWith(findPrograms("bash", "curl"), "docs/moving-to-slipway.md", () => {
  const guide = "moving-to-slipway.md";

  it.each([
    ["/compat/zealot", "Fixes the login"],
    ["/compat/testfairy", "Fixes the login"],
    ["/compat/diawi", "Fixes the login"],
  ])("publishes by the request to %s", async (part, description) => {
    const { code, stdout, stderr } = await shell(block(guide, "sh", `curl --fail-with-body ${web.url}${part}`));
    expect(code, stdout + stderr).toBe(0);
    expect(await newestRelease()).toMatchObject({ environmentId, description });
    expect(stdout).toContain((await newestRelease()).id);
  });

  it("has no other command than these and that of App Center's tool", () => {
    expect(blocksOf(guide, "sh").map((one) => one.split("\n")[0])).toEqual([
      "export APPCENTER_ENDPOINT=https://slipway.example.com/compat/appcenter",
      "curl --fail-with-body https://slipway.example.com/compat/zealot/api/apps/upload \\",
      "curl --fail-with-body https://slipway.example.com/compat/testfairy/api/upload/ \\",
      "curl --fail-with-body https://slipway.example.com/compat/diawi/ \\",
    ]);
  });
});
