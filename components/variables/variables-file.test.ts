import { describe, expect, it } from "vitest";
import { isVariablesFileName, readText } from "./variables-file";

describe("isVariablesFileName", () => {
  it.each([
    ".env",
    ".env.local",
    ".env.production",
    ".env.foo",
    ".ENV.Staging",
    "production.env",
    "app.env.local",
    "env.example",
    "values.json",
    "values.yaml",
    "values.YML",
    "values.txt",
  ])("%s is accepted", (name) => {
    expect(isVariablesFileName(name)).toBe(true);
  });

  it.each(["photo.png", "environment.pdf", "envelope.docx", ".zshrc", "yaml"])("%s is refused", (name) => {
    expect(isVariablesFileName(name)).toBe(false);
  });
});

describe("readText", () => {
  it("returns UTF-8 text with its line breaks and without a byte order mark", async () => {
    expect(await readText(new Blob(["\ufeffA=ñ\r\nB=2\n"]))).toBe("A=ñ\r\nB=2\n");
  });

  it.each([
    ["Latin-1", [0x41, 0x3d, 0xf1]],
    ["binary", [0x41, 0x00, 0x42]],
  ])("refuses a %s file instead of changing its values", async (_name, bytes) => {
    expect(await readText(new Blob([new Uint8Array(bytes)]))).toBeNull();
  });
});
