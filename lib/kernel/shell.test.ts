import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellWord } from "./shell";

/** The arguments that a POSIX shell makes of a command, `curl` being a program that prints them. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync("/bin/sh", ["-c", script], {
    env: { NODE_ENV: "test" },
    encoding: "utf8",
  });
  return printed.split("\0").slice(0, -1);
}

describe("a word of the shell", () => {
  it("is not quoted if the shell does not interpret it", () => {
    expect(shellWord("https://slipway.example/api")).toBe("https://slipway.example/api");
  });

  it("is passed on unchanged, with any characters", () => {
    // A shell argument cannot contain NUL or a lone surrogate.
    const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((value) => !value.includes("\0"));
    const texts = fc.array(text, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(texts, (words) => {
        expect(argumentsOf(`curl ${words.map(shellWord).join(" ")}`)).toEqual(words);
      }),
      { numRuns: 25 },
    );
    expect(argumentsOf(`curl ${shellWord("$(id) `id` 'x' \"y\" \\ ; & | > <")}`)).toEqual([
      "$(id) `id` 'x' \"y\" \\ ; & | > <",
    ]);
  });
});
