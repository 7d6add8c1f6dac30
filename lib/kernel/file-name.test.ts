import { processorTimeMs } from "@slipway/installers/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileNames } from "@/lib/testing/hostile-names";
import { fileNameProblem, safeFileName } from "./file-name";

describe("a safe file name", () => {
  it.each([
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\Windows\\win.ini", "C__Windows_win.ini"],
    ["a\r\nSet-Cookie: x=1.apk", "a Set-Cookie_ x=1.apk"],
    ['a"b.apk', "a_b.apk"],
    ["photo\u202egpj.exe", "photogpj.exe"],
    ["zero\u200bwidth.apk", "zerowidth.apk"],
    [".htaccess", "htaccess"],
    ["trailing. . .", "trailing"],
    ["con.apk", "_con.apk"],
    ["CON .apk", "_CON .apk"],
    ["com¹.p12", "_com¹.p12"],
    ["CONOUT$", "_CONOUT$"],
    ["LPT1", "_LPT1"],
    ["console.apk", "console.apk"],
    ["ab\ud800cd.apk", "ab\ufffdcd.apk"],
    ["cafe\u0301.apk", "caf\u00e9.apk"],
    ["", "download"],
    ["...", "download"],
    ["\u0000\u0001", "download"],
    ["   ", "download"],
    ["مرحبا.apk", "مرحبا.apk"],
    ["😀.ipa", "😀.ipa"],
  ])("of %j is %j", (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it("keeps the extension of a name of 5,000 characters", () => {
    for (const character of ["a", "é", "漢", "😀", "e\u0301"]) {
      const safe = safeFileName(`${character.repeat(5_000)}.apk`);
      expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(200);
      expect(safe.endsWith(".apk")).toBe(true);
      expect(safe.isWellFormed()).toBe(true);
      expect(safe.length).toBeGreaterThan(50);
    }
  });

  it("takes a long tail for no extension", () => {
    const safe = safeFileName(`a.${"b".repeat(5_000)}`);
    expect(safe).toBe(`a.${"b".repeat(198)}`);
  });

  it("stands on any file system, shows itself as it is and is safe already, whatever it was made of", () => {
    fc.assert(
      fc.property(hostileNames, (name) => {
        const safe = safeFileName(name);
        expect(safe.length).toBeGreaterThan(0);
        expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(200);
        expect(safe.isWellFormed()).toBe(true);
        expect(safe).not.toMatch(/[/\\:*?"<>|]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^[. ]|[. ]$/u);
        expect(safeFileName(safe)).toBe(safe);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no longer for a name that is made to be slow", () => {
    for (const name of [
      " ".repeat(100_000),
      ".".repeat(100_000),
      `a${" .".repeat(50_000)}b`,
      "\u0301".repeat(100_000),
    ]) {
      const began = processorTimeMs();
      safeFileName(name);
      expect(processorTimeMs() - began).toBeLessThan(200);
    }
  });
});

describe("a safe file name with an extension", () => {
  it.each([
    ["Makefile", ["p12"], "Makefile.p12"],
    ["slipway.json", ["pem", "crt"], "slipway.json.pem"],
    ["Push.CRT", ["pem", "crt"], "Push.CRT"],
    [".env", ["key"], "env.key"],
    ["", ["apk"], "download.apk"],
    ["nul", ["apk"], "_nul.apk"],
  ])("of %j and %j is %j", (name, extensions, safe) => {
    expect(safeFileName(name, extensions)).toBe(safe);
  });

  it("has it at any length, and may be given as it is", () => {
    fc.assert(
      fc.property(hostileNames, (name) => {
        const safe = safeFileName(name, ["ipa", "apk"]);
        expect(fileNameProblem(safe, ["ipa", "apk"])).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a file name that somebody gives", () => {
  it.each(["push.p12", "My key (2).PEM", "Añadido.key", "a.b.pem", "证书.pem"])("may be %j", (name) => {
    expect(fileNameProblem(name, ["pem", "p12", "key"])).toBeNull();
  });

  it.each([
    "../a.pem",
    "a/b.pem",
    "a\\b.pem",
    "C:a.pem",
    "a.pem:stream.pem",
    ".a.pem",
    ".pem",
    " a.pem",
    "a.pem.",
    "a.pem ",
    "a\u0000.pem",
    "a\n.pem",
    "a\u202emep.pem",
    "a\u200b.pem",
    "nul.pem",
    "COM1.pem",
    "-".repeat(300).concat(".pem"),
  ])("may not have the form of %j", (name) => {
    expect(fileNameProblem(name, ["pem"])).toBe("fileNameForm");
  });

  it.each(["Makefile", "slipway.json", "run.sh", "a.exe", "package.json", "pem", "a.pem.sh", "Fastfile"])(
    "may not be %j, which a program reads or runs",
    (name) => {
      expect(fileNameProblem(name, ["pem"])).toBe("fileNameExtension");
    },
  );
});
