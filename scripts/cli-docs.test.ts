import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeCliFiles } from "./lib/cli.mjs";
import { commandPages, withReference } from "./lib/cli-docs";
import { projectDir } from "./lib/files.mjs";

const guide = readFileSync(join(projectDir, "docs", "cli.md"), "utf8");

describe("the documentation of the command-line tool", () => {
  it("is the one that its declarations give; `npm run docs:cli` writes it", () => {
    const { markdown, manual } = withReference(guide);
    expect(guide).toBe(markdown);
    expect(readFileSync(join(projectDir, "cli", "slipway.1"), "utf8")).toBe(manual);
  });

  it("is served by the console as a manual page, beside the tool", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-cli-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await writeCliFiles(folder);
    const { manual } = withReference(guide);
    expect(readFileSync(join(folder, "slipway.1"), "utf8")).toBe(manual);
    expect(existsSync(join(folder, "slipway.mjs.sha256"))).toBe(true);
  });

  it("names the common options of a command as they are written on the command line", () => {
    const { markdown } = withReference(guide);
    const names = new Set(commandPages().flatMap(({ options }) => options.map(({ name }) => name)));
    const lines = markdown.split("\n").filter((line) => line.endsWith("([common options](#common-options))."));
    expect(lines.length).toBeGreaterThan(0);
    const listed = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(listed.filter((name) => name !== undefined && !names.has(name))).toEqual([]);
  });

  it("explains each command and each option", () => {
    for (const page of commandPages()) {
      expect(page.brief, page.name).toMatch(/^[A-Z].*[^.]$/);
      for (const option of page.options) expect(option.brief, `${page.name} ${option.name}`).toMatch(/^[A-Z].*[^.]$/);
    }
  });
});
