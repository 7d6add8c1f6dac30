import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type ExampleCommand, publishCommand, readCommand } from "./example-command";

const SHELL_SYNTAX = 'It\'s $(touch x) `id` "q" \\ ; @a <b';
const example: ExampleCommand = {
  origin: "https://console.example",
  token: "slw_secret",
  appIdentifier: "com.acme.notes",
  environment: { id: "0198c0de-0000-7000-8000-000000000001", name: SHELL_SYNTAX },
  identifiers: ["com.acme.notes", "com.acme.other"],
  description: SHELL_SYNTAX,
};

/** The words into which a shell splits a command. */
function words(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("the example commands", () => {
  it("publish a release of the app in its environment, for any environment name", () => {
    expect(words(publishCommand(example))).toEqual([
      "--fail-with-body",
      "https://console.example/api/apps/create-testing-deploy",
      "-H",
      "Authorization: Bearer slw_secret",
      "--form-string",
      "app=com.acme.notes",
      "--form-string",
      `environment=${SHELL_SYNTAX}`,
      "--form-string",
      `description=${SHELL_SYNTAX}`,
      "-F",
      "file=@app.ipa",
    ]);
  });

  it("read the environment with an identifier of the token", () => {
    expect(words(readCommand(example))).toEqual([
      "--fail-with-body",
      "https://console.example/api/apps/get-environment-app?id=0198c0de-0000-7000-8000-000000000001",
      "-H",
      "Authorization: Bearer slw_secret",
      "-H",
      "X-App-Identifier: com.acme.notes",
    ]);
  });
});
