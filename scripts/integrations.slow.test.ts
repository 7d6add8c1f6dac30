import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { outputVariable } from "@/cli/src/lib/outputs";
import { collect, type Run, setUpTool } from "@/cli/src/testing/tool";
import { serveConsole, type WholeConsole } from "@/cli/src/testing/whole-console";
import { db } from "@/lib/db/client";
import { operations } from "@/lib/operations";
import { anApp, aToken } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { anIpa } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { projectDir } from "./lib/files.mjs";
import { INPUTS } from "./lib/integrations";

setUpTestDatabase();
const tool = setUpTool();
const folder = (name: string) => join(projectDir, "integrations", name);
const textOf = (path: string) => readFileSync(join(projectDir, path), "utf8");

let server: TestServer;
let web: WholeConsole;
let app: Awaited<ReturnType<typeof anApp>>;
let token: string;

beforeAll(async () => {
  server = await serveOperations(Object.values(operations));
  web = await serveConsole(server, tool);
  app = await anApp({ environments: [{ name: "Testing" }] });
  const environmentId = app.environmentIds[0] as string;
  ({ token } = await aToken({ appId: app.appId, environmentId, scopes: ["release:create"] }));
});
afterAll(async () => {
  await web.close();
  await server.close();
});

function installer(name: string): string {
  const path = join(tool.folder, name);
  writeFileSync(path, anIpa(app.identifier));
  return path;
}

/** The environment of a job: nothing but what is named. */
function jobEnvironment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), process.env.PATH].join(":");
  return { PATH: path, NODE_ENV: "production", LANG: "C.UTF-8", HOME: "/nonexistent", CI: "true", ...variables };
}

function runProgram(program: string, words: readonly string[], variables: Record<string, string>): Promise<Run> {
  return collect(spawn(program, words, { cwd: tool.folder, env: jobEnvironment(variables) }));
}

/** The lines NAME=value of a file. */
function valuesOf(path: string): Record<string, string> {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** Expects the outputs of the newest release, by the names that an integration gives them. */
async function expectOutputs(values: Record<string, string>, nameOf: (name: string) => string): Promise<void> {
  const release = await db.release.findFirstOrThrow({ orderBy: { id: "desc" } });
  const installUrl = `http://localhost:3000/releases?id=${release.id}`;
  expect(values).toEqual({
    [nameOf("release-id")]: release.id,
    [nameOf("install-url")]: installUrl,
    [nameOf("qr-url")]: `http://localhost:3000/api/apps/download-testing-deploy-qr-code?id=${release.id}`,
    [nameOf("version")]: release.version,
    [nameOf("build-number")]: release.buildNumber,
  });
}

describe("the action of GitHub", () => {
  const run = (inputs: Record<string, string>, variables: Record<string, string> = {}) =>
    runProgram(process.execPath, [folder("github-action/publish.mjs")], {
      GITHUB_ACTIONS: "true",
      GITHUB_SHA: "0a1b2c",
      GITHUB_REF_NAME: "main",
      ...Object.fromEntries(INPUTS.map(({ name }) => [`INPUT_${name.toUpperCase()}`, inputs[name] ?? ""])),
      ...variables,
    });

  it("publishes with its inputs, sets its outputs and writes a summary", async () => {
    const [outputs, summary] = [join(tool.folder, "outputs"), join(tool.folder, "summary")];
    const inputs = {
      console: web.url,
      token,
      file: installer("action.ipa"),
      notes: 'Fixes `$(id)` and "quotes"\n\n- two\n- lines',
      metadata: "ticket=A-1\nreviewer=Ana = Bea",
      mandatory: "true",
    };
    const { code, stdout, stderr } = await run(inputs, { GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary });
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(token);
    await expectOutputs(valuesOf(outputs), (name) => name);
    const release = await db.release.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(release).toMatchObject({
      description: inputs.notes,
      mandatory: true,
      metadata: { gitCommit: "0a1b2c", gitBranch: "main", ticket: "A-1", reviewer: "Ana = Bea" },
    });
    expect(readFileSync(summary, "utf8")).toContain(`[Install](http://localhost:3000/releases?id=${release.id})`);
  });

  it("ends as the tool does where the console refuses", async () => {
    const { code, stderr } = await run({ console: web.url, token: "slw_wrong", file: installer("refused.ipa") });
    expect(code).toBe(1);
    expect(stderr).not.toContain("slw_wrong");
  });

  it.each([
    ["mandatory", "perhaps", "SLIPWAY_MANDATORY: write true or false."],
    ["timeout", "soon", "SLIPWAY_TIMEOUT: write a duration as 90s, 30m or 2h."],
    ["metadata", "a=b\nc", "SLIPWAY_METADATA: write it as key=value."],
    ["console", "slipway.example.com", "The input console is not a URL such as https://slipway.example.com."],
  ])("names the input %s where it is %j", async (name, value, words) => {
    const inputs = { console: web.url, token, file: installer("input.ipa"), [name]: value };
    const { code, stderr } = await run(inputs);
    expect([code, stderr.trim()]).toEqual([2, words]);
  });

  it("runs no tool whose hash is another than the one that is stated or required", async () => {
    const damaged = await serveConsole(server, tool, { "/cli/slipway.mjs": "process.exit(0)" });
    const file = installer("damaged.ipa");
    const stated = await run({ console: damaged.url, token, file });
    await damaged.close();
    const required = await run({ console: web.url, token, file, "tool-sha256": "0".repeat(64) });
    for (const { code, stderr } of [stated, required]) {
      expect(code).toBe(3);
      expect(stderr).toMatch(/^The SHA-256 of the tool that .* instead of [0-9a-f]{64}\.\n$/);
    }
  });

  it("says that its Node.js uses no proxy", async () => {
    const program = join(tool.folder, "without-proxy.mjs");
    const text = textOf("integrations/github-action/publish.mjs");
    writeFileSync(program, text.replace('import * as http from "node:http";', "const http = {};"));
    const variables = { SLIPWAY_CONSOLE: "http://127.0.0.1:1", SLIPWAY_FILE: "a.ipa", HTTP_PROXY: "http://proxy:1" };
    const { code, stderr } = await runProgram(process.execPath, [program], variables);
    expect(code).toBe(3);
    expect(stderr).toMatch(/ The proxy is not used: use Node\.js 24\.14 or later/);
  });

  it("says that the console cannot be reached", async () => {
    const gone = await serveConsole(server, tool);
    await gone.close();
    const { code, stderr } = await run({ console: gone.url, token, file: "a.ipa" });
    expect([code, stderr]).toEqual([3, `${gone.url} cannot be reached: ECONNREFUSED.\n`]);
  });
});

describe("the component of GitLab", () => {
  it("publishes with its inputs and leaves its outputs to later jobs", async () => {
    const [header, jobs] = parseAllDocuments(textOf("integrations/gitlab/slipway.yml")).map((one) => one.toJS());
    const given: Record<string, string> = { console: web.url, file: installer("gitlab.ipa"), notes: "From GitLab" };
    const filled = (text: string) =>
      text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
        return given[name] ?? String(header.spec.inputs[name].default);
      });
    const job = jobs["$[[ inputs.job-name ]]"];
    const variables = Object.fromEntries(
      Object.entries(job.variables as Record<string, string>).map(([name, value]) => [name, filled(value)]),
    );
    const { code, stdout, stderr } = await runProgram(
      "bash",
      ["--norc", "-eo", "pipefail", "-c", job.script.join("\n")],
      {
        ...variables,
        GITLAB_CI: "true",
        CI_COMMIT_SHA: "d0e1f2",
        SLIPWAY_TOKEN: token,
      },
    );
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(token);
    await expectOutputs(valuesOf(join(tool.folder, job.artifacts.reports.dotenv)), outputVariable);
    const release = await db.release.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(release).toMatchObject({ description: "From GitLab", metadata: { gitCommit: "d0e1f2" } });
  });
});

describe("the step of Bitrise", () => {
  const script = folder("bitrise/step.sh");

  it("publishes with its inputs and passes its outputs on", async () => {
    const bin = join(tool.folder, "envman");
    mkdirSync(bin);
    writeFileSync(join(bin, "envman"), '#!/bin/sh\necho "$3=$5" >>"$ENVMAN_STORE"\n');
    chmodSync(join(bin, "envman"), 0o755);
    const step = parse(textOf("integrations/bitrise/step.yml"));
    const defaults = Object.assign({}, ...step.inputs.map(({ opts: _, ...input }: Record<string, unknown>) => input));
    const store = join(tool.folder, "store");
    const { code, stdout, stderr } = await runProgram("bash", [script], {
      ...defaults,
      SLIPWAY_CONSOLE: web.url,
      SLIPWAY_TOKEN: token,
      SLIPWAY_FILE: installer("bitrise.ipa"),
      BITRISE_IO: "true",
      BITRISE_GIT_COMMIT: "a9b8c7",
      ENVMAN_STORE: store,
      PATH: [bin, dirname(process.execPath), process.env.PATH].join(":"),
    });
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(token);
    await expectOutputs(valuesOf(store), outputVariable);
    const release = await db.release.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(release.metadata).toEqual({ gitCommit: "a9b8c7" });
  });

  it("fails where the console refuses", async () => {
    const { code } = await runProgram("bash", [script], {
      SLIPWAY_CONSOLE: web.url,
      SLIPWAY_TOKEN: "slw_wrong",
      SLIPWAY_FILE: installer("bitrise-refused.ipa"),
    });
    expect(code).toBe(1);
  });
});

/** A program of this machine, or why it cannot be used. */
function programOf(name: string, words: string[] = ["--version"]): string | Error {
  try {
    execFileSync(name, words, { stdio: "ignore" });
    return name;
  } catch {
    return new Error(`${name} is not on this machine`);
  }
}

describeWith(programOf("shellcheck"), "the script of Bitrise", (shellcheck) => {
  it("has no finding of shellcheck", () => {
    execFileSync(shellcheck, [folder("bitrise/step.sh")], { stdio: "inherit" });
  });
});

/** What the action uses of fastlane. */
const FASTLANE = `
module FastlaneCore
  class ConfigItem
    attr_reader :key, :env_name, :default_value, :optional
    def initialize(key:, env_name:, description:, optional:, default_value: nil, **)
      @key, @env_name, @default_value, @optional = key, env_name, default_value, optional
    end
  end
end
module Fastlane
  class Action
  end
  module Actions
    Action = Fastlane::Action
    def self.lane_context
      @lane_context ||= {}
    end
    module SharedValues
      IPA_OUTPUT_PATH = :IPA_OUTPUT_PATH
      GRADLE_APK_OUTPUT_PATH = :GRADLE_APK_OUTPUT_PATH
    end
  end
end
class Fastlane::Action
  def self.lane_context
    Fastlane::Actions.lane_context
  end
end
module UI
  def self.message(text)
    puts(text)
  end
  def self.user_error!(text)
    abort(text)
  end
end
`;

describeWith(programOf("ruby"), "the action of fastlane", (ruby) => {
  it("publishes with its inputs and sets the shared values", async () => {
    const script = join(tool.folder, "lane.rb");
    const outputs = join(tool.folder, "lane.env");
    writeFileSync(
      script,
      `${FASTLANE}
require ${JSON.stringify(folder("fastlane/slipway.rb"))}
action = Fastlane::Actions::SlipwayAction
given = { file: ENV.fetch("TEST_FILE"), notes: "From fastlane", metadata: { "ticket" => "A-1" } }
params = action.available_options.to_h { |option| [option.key, given[option.key] || ENV[option.env_name] || option.default_value] }
url = action.run(params)
values = Fastlane::Actions.lane_context
raise "no URL" unless url == values[:SLIPWAY_INSTALL_URL]
File.write(ENV.fetch("TEST_OUTPUTS"), values.map { |name, value| "#{name}=#{value}\\n" }.join)
`,
    );
    const { code, stdout, stderr } = await runProgram(ruby, [script], {
      SLIPWAY_CONSOLE: web.url,
      SLIPWAY_TOKEN: token,
      TEST_FILE: installer("fastlane.ipa"),
      TEST_OUTPUTS: outputs,
    });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain(token);
    await expectOutputs(valuesOf(outputs), outputVariable);
    const release = await db.release.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(release).toMatchObject({ description: "From fastlane", metadata: { ticket: "A-1" } });
  });
});

/** Gradle, or why it cannot be used. Before version 7, its Kotlin does not know the functions of the script. */
function supportedGradle(): string | Error {
  const gradle = programOf("gradle");
  if (gradle instanceof Error) return gradle;
  const version = /^Gradle (\d+)/m.exec(execFileSync(gradle, ["--version"], { encoding: "utf8" }))?.[1];
  return Number(version) >= 7 ? gradle : new Error(`Gradle ${version} is older than version 7`);
}

describeWith(supportedGradle(), "the task of Gradle", (gradle) => {
  it("publishes with its properties and writes its outputs", async () => {
    const project = join(tool.folder, "gradle");
    mkdirSync(project);
    writeFileSync(join(project, "settings.gradle.kts"), "");
    writeFileSync(
      join(project, "build.gradle.kts"),
      `apply(from = ${JSON.stringify(folder("gradle/slipway.gradle.kts"))})\n`,
    );
    const properties = { console: web.url, file: installer("gradle.ipa"), notes: "From Gradle" };
    const words = Object.entries(properties).map(([name, value]) => `-Pslipway.${name}=${value}`);
    const home = join(tool.folder, "gradle-home");
    const { code, stdout, stderr } = await runProgram(
      gradle,
      ["--offline", "--no-daemon", "--project-dir", project, "publishToSlipway", ...words],
      { SLIPWAY_TOKEN: token, GRADLE_USER_HOME: home, HOME: home },
    );
    expect(code, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain(token);
    await expectOutputs(valuesOf(join(project, "build", "slipway.env")), outputVariable);
    rmSync(project, { recursive: true });
  });
});
