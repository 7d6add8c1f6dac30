import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { OUTPUTS, outputVariable } from "@/cli/src/lib/outputs";
import { projectDir } from "./lib/files.mjs";
import { INPUTS, INTEGRATION_FILES, withSections } from "./lib/integrations";

const textOf = (path: string) => readFileSync(join(projectDir, path), "utf8");

describe("the files of the integrations", () => {
  it.each(INTEGRATION_FILES)("%s has the declared inputs and outputs; `npm run docs:cli` writes them", (path) => {
    expect(textOf(path)).toBe(withSections(path, textOf(path)));
  });

  it("take the same inputs and give the same outputs", () => {
    const names = INPUTS.map(({ name }) => name);
    const withoutToken = names.filter((name) => name !== "token");
    const variable = (name: string) => `SLIPWAY_${name.replaceAll("-", "_").toUpperCase()}`;
    const action = parse(textOf("integrations/github-action/action.yml"));
    expect(Object.keys(action.inputs)).toEqual(names);
    expect(Object.keys(action.outputs)).toEqual(Object.keys(OUTPUTS));
    const [header, jobs] = parseAllDocuments(textOf("integrations/gitlab/slipway.yml")).map((one) => one.toJS());
    expect(Object.keys(header.spec.inputs)).toEqual(["job-name", "stage", "image", ...withoutToken]);
    const job = jobs["$[[ inputs.job-name ]]"];
    expect(Object.keys(job.variables)).toEqual([...withoutToken.map(variable), "SLIPWAY_OUTPUT_FILE"]);
    const step = parse(textOf("integrations/bitrise/step.yml"));
    const keyOf = (entry: object) => Object.keys(entry)[0];
    expect(step.inputs.map(keyOf)).toEqual(names.map(variable));
    expect(step.outputs.map(keyOf)).toEqual(Object.keys(OUTPUTS).map(outputVariable));
    const ruby = textOf("integrations/fastlane/slipway.rb");
    expect([...ruby.matchAll(/key: :(\w+)/g)].map(([, key]) => key?.replaceAll("_", "-"))).toEqual(names);
    const gradle = textOf("integrations/gradle/slipway.gradle.kts");
    expect([...gradle.matchAll(/^ +"([\w-]+)" to "/gm)].map(([, key]) => key)).toEqual(withoutToken);
  });

  it("carry a program that shells, Ruby and Kotlin leave as it is", () => {
    expect(textOf("integrations/github-action/publish.mjs")).not.toMatch(/\$|"""|^SLIPWAY$/m);
  });
});
