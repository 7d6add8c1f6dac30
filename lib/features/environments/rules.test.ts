import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CI_SYSTEMS, ciSteps, configurationOf, toolCommands } from "./rules";
import { environmentConfigurationSchema } from "./schema";

const BASE = "https://slipway.example";
const app = { id: "019a0000-0000-7000-8000-0000000000a1", identifier: "com.acme.notes" };
const environment = {
  id: "019a0000-0000-7000-8000-0000000000e1",
  name: "Staging",
  identifiers: ["com.acme.notes.staging", "com.acme.notes"],
};

/** The arguments that a POSIX shell makes of a command, `curl` being a program that prints them. */
function argumentsOf(command: string, variables: Record<string, string>): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync("/bin/sh", ["-c", script], {
    env: { NODE_ENV: "test", ...variables },
    encoding: "utf8",
  });
  return printed.split("\0").slice(0, -1);
}

describe("an environment's configuration", () => {
  it("matches the API schema", () => {
    const configuration = configurationOf(BASE, app, environment);
    expect(environmentConfigurationSchema.parse(configuration)).toEqual(configuration);
  });

  it("contains the environment and the URLs of this console in each part", () => {
    const { server, mobile, cli } = configurationOf(BASE, app, environment);
    for (const part of [server, mobile, cli]) {
      expect(part).toMatchObject({
        baseUrl: BASE,
        applicationId: app.id,
        applicationIdentifier: "com.acme.notes",
        environmentId: environment.id,
        environmentName: "Staging",
      });
    }
    expect(server.uploadUrl).toBe("https://slipway.example/api/apps/create-testing-deploy");
    const releases = `${BASE}/api/apps/get-testing-deploys?environmentId=${environment.id}`;
    expect([server.releasesUrl, mobile.releasesUrl]).toEqual([releases, releases]);
  });

  it("lists each accepted identifier once, the app's own first", () => {
    expect(configurationOf(BASE, app, environment).mobile.identifiers).toEqual([
      "com.acme.notes",
      "com.acme.notes.staging",
    ]);
  });

  it("has an upload command that sends the file and the fields that create-testing-deploy takes", () => {
    const name = `Bob's "test"; $HOME @ &`;
    const { cli } = configurationOf(BASE, app, { ...environment, name });
    const variables = { SLIPWAY_TOKEN: "slw_x", DESCRIPTION: "@what's new", INSTALLER: "build/my app.ipa" };
    expect(argumentsOf(cli.curl, variables)).toEqual([
      "--fail-with-body",
      "--header",
      "Authorization: Bearer slw_x",
      "--form-string",
      "app=com.acme.notes",
      "--form-string",
      `environment=${name}`,
      "--form-string",
      "description=@what's new",
      "--form",
      'file=@"build/my app.ipa"',
      "https://slipway.example/api/apps/create-testing-deploy",
    ]);
  });

  it("has a command that lists the releases with the token from a shell variable, never in its text", () => {
    const { server } = configurationOf(BASE, app, environment);
    expect(argumentsOf(server.curl, { SLIPWAY_TOKEN: "slw_x" })).toEqual([
      "--fail-with-body",
      "--header",
      "Authorization: Bearer slw_x",
      `${BASE}/api/apps/get-testing-deploys?environmentId=${environment.id}`,
    ]);
  });
});

describe("the commands of the tool", () => {
  const of = (name: string) => toolCommands(configurationOf(BASE, app, { ...environment, name }).cli);

  it("fetch it from this console, and publish to and list the environment, whatever its name", () => {
    const { install, publish, list } = of("It's $(QA)");
    expect(install).toBe(`curl -fsSLO ${BASE}/cli/slipway.mjs\nnode slipway.mjs login ${BASE}`);
    const place = ["--app", app.identifier, "--environment", "It's $(QA)"];
    expect(argumentsOf(publish.replace(/^node/, "curl"), {})).toEqual([
      "slipway.mjs",
      "upload",
      "build/app.ipa",
      ...place,
    ]);
    expect(argumentsOf(list.replace(/^node/, "curl"), {})).toEqual(["slipway.mjs", "releases", "list", ...place]);
  });

  it("name an environment by its ID if its name looks like an option", () => {
    expect(of("--help").publish).toContain(`--environment ${environment.id}`);
  });
});

describe("the CI steps", () => {
  const { cli } = configurationOf("https://slipway.example.com", app, environment);
  const steps = ciSteps(cli);
  const guide = readFileSync("docs/ci.md", "utf8");

  it("are in the order of docs/ci.md, as it shows them", () => {
    const codes = CI_SYSTEMS.filter((key) => key !== "curl").flatMap((key) => [steps[key].setup, steps[key].code]);
    const places = codes.flatMap((code) => (code === null ? [] : [guide.indexOf(`\n${code}\n`)]));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(guide.indexOf("\n## One request without the tool\n")).toBeGreaterThan(places.at(-1) as number);
    expect(steps.curl.code).toBe(cli.curl);
  });

  it("take the token from the system's secrets", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of GitHub
    expect(parse(steps.github.code)[0].with.token).toBe("${{ secrets.SLIPWAY_TOKEN }}");
    expect(parse(steps.bitrise.code)[0]["path::./bitrise/slipway"].inputs).toContainEqual({
      SLIPWAY_TOKEN: "$SLIPWAY_TOKEN",
    });
    expect(steps.curl.code).toContain("$SLIPWAY_TOKEN");
  });
});
