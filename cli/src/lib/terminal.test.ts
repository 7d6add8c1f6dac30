import { describe, expect, it } from "vitest";
import { outputOf, wrapFact } from "./terminal";

/** A terminal that keeps what is written to it. */
function aTerminal() {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) > 0 };
  return { written, stream: stream as unknown as Parameters<typeof outputOf>[0] };
}

it("a terminal without UTF-8 is shown messages in ASCII, and values as they are", () => {
  const { written, stream } = aTerminal();
  const out = outputOf(stream, {}, { unicode: false, carriesData: true });
  out.say("The console’s page");
  out.write("It’s “secret” – 42…\n");
  expect(written).toEqual(["The console's page\n", "It’s “secret” – 42…\n"]);
});

it("a stream without values is shown ASCII alone", () => {
  const { written, stream } = aTerminal();
  outputOf(stream, {}, { unicode: false, carriesData: false }).write("did you mean “upload”?\n");
  expect(written).toEqual(['did you mean "upload"?\n']);
});

describe("a fact in a terminal", () => {
  it("is broken below its value", () => {
    expect(wrapFact("notes  Fixes the login of the app", 24, 7)).toBe("notes  Fixes the login\n       of the app");
  });

  it("begins nearer to the left edge where its longest word would not fit", () => {
    const id = "01a20644-d1bd-77f3-b726-69653b67ce4e";
    expect(wrapFact(`id         ${id}`, 40, 11).split("\n")[1]).toBe(`  ${id}`);
  });
});
