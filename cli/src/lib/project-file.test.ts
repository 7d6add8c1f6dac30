import { describe, expect, it } from "vitest";
import { Failure } from "./failure";
import { parseProject } from "./project-file";

function failureOf(text: string): Failure {
  try {
    parseProject(text, "slipway.json");
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("it was accepted");
}

describe("slipway.json", () => {
  it("names console, app and environment", () => {
    const project = { console: "https://slipway.example.com", app: "com.acme.app", environment: "Testing" };
    expect(parseProject(JSON.stringify({ $schema: "x", ...project }), "slipway.json")).toEqual(project);
  });

  it("lists the variables that commands get, also none", () => {
    expect(parseProject('{ "variables": ["API_URL", "PORT"] }', "slipway.json")).toEqual({
      variables: ["API_URL", "PORT"],
    });
    expect(parseProject('{ "variables": [] }', "slipway.json")).toEqual({ variables: [] });
  });

  it.each([
    [
      "variables that are no list",
      '{\n  "variables": "API_URL"\n}',
      'slipway.json:2: the field "variables" must be a list of names.',
    ],
    [
      "a variable without a name",
      '{\n  "variables": ["A",\n  7]\n}',
      'slipway.json:3: the field "variables" must be a list of names.',
    ],
    [
      "an unknown field, with the one that was meant",
      '{\n  "console": "x",\n  "enviroment": "Testing"\n}',
      'slipway.json:3: the field "enviroment" is not known. Did you mean "environment"?',
    ],
    [
      "an unknown field, with those that exist",
      '{ "colour": "red" }',
      'slipway.json:1: the field "colour" is not known. The fields are console, app, environment, variables.',
    ],
    [
      "a value that is not a string",
      '{\n  "app": 7\n}',
      'slipway.json:2: the field "app" must be a text that is not empty.',
    ],
    ["an empty value", '{\n\n  "app": " "\n}', 'slipway.json:3: the field "app" must be a text that is not empty.'],
    ["a missing comma", '{\n  "app": "a"\n  "console": "b"\n}', "slipway.json:3: comma expected."],
    ["a comment", "{\n  // here\n}", "slipway.json:2: invalid comment token."],
    ["a list", "[]", "slipway.json:1: the file must be a JSON object."],
    ["an empty file", "", "slipway.json:1: value expected."],
  ])("is refused with the line for %s", (_what, text, message) => {
    const failure = failureOf(text);
    expect(failure.message).toBe(message);
    expect(failure.exitCode).toBe(2);
  });
});
