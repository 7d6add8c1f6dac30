import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ADMIN_NAMESPACES, PUBLIC_NAMESPACES, shellMessages } from "@/lib/kernel/i18n/client-messages";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { projectDir } from "./files.mjs";
import { importsOf } from "./structure.mjs";

const messages = messagesFor("en");

const EXTENSIONS = [".ts", ".tsx", "/index.ts", ""];
const resolve = (path: string) =>
  EXTENSIONS.map((extension) => path + extension).find(
    (file) => /\.\w+$/.test(file) && existsSync(join(projectDir, file)),
  );

interface Module {
  text: string;
  imports: string[];
  isClient: boolean;
}

const modules = new Map<string, Module>();

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const text = readFileSync(join(projectDir, file), "utf8");
  const imports = importsOf(file, text, resolve).flatMap(({ to, typeOnly }) =>
    !typeOnly && /\.tsx?$/.test(to) && existsSync(join(projectDir, to)) ? [to] : [],
  );
  const read = { text, imports, isClient: /^"use client";/m.test(text) };
  modules.set(file, read);
  return read;
}

/** The namespaces that the code in the browser of some pages uses, at once or when something opens, each with a file that does. */
function namespacesOf(pages: readonly string[]): Map<string, string> {
  const inBrowser = new Map<string, boolean>();
  const waiting = pages.map((file) => ({ file, client: false }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { imports, isClient } = moduleOf(next.file);
    const client = next.client || isClient;
    if (inBrowser.get(next.file) ?? (!client && inBrowser.has(next.file))) continue;
    inBrowser.set(next.file, client);
    waiting.push(...imports.map((file) => ({ file, client })));
  }
  const found = new Map<string, string>();
  for (const [file, client] of inBrowser) {
    const { text } = moduleOf(file);
    if (!client || !/\buse(Translations|Messages)\(/.test(text)) continue;
    for (const [, name] of text.matchAll(/useTranslations\("(\w+)/g)) found.set(name as string, file);
    for (const [, name] of text.matchAll(/useMessages\(\)\.(\w+)/g)) found.set(name as string, file);
    // A translator of all texts has whole keys.
    if (/useTranslations\(\)/.test(text)) {
      for (const [, name] of text.matchAll(/["`](\w+)\.[\w.$/{]/g)) if (name && name in messages) found.set(name, file);
    }
  }
  return found;
}

const pagesOf = (...patterns: string[]) => patterns.flatMap((pattern) => globSync(pattern, { cwd: projectDir }));

it("the pages outside the shell have all texts that they use in the browser, and no others", () => {
  const used = namespacesOf(pagesOf("app/*.tsx", "app/(public)/**/*.tsx", "app/api/docs/*.tsx"));
  const missing = [...used].filter(([name]) => !PUBLIC_NAMESPACES.some((one) => one === name));
  expect(missing).toEqual([]);
  expect(PUBLIC_NAMESPACES.filter((name) => !used.has(name))).toEqual([]);
});

it.each([
  { who: "administrators", isAdmin: true, groups: ["app/(admin)/**/*.tsx", "app/(console)/**/*.tsx"] },
  { who: "all other users", isAdmin: false, groups: ["app/(console)/**/*.tsx"] },
])("the pages within the shell have all texts that they use in the browser, for $who", ({ isAdmin, groups }) => {
  const sent = new Set<string>([...PUBLIC_NAMESPACES, ...Object.keys(shellMessages(messages, isAdmin))]);
  expect([...namespacesOf(pagesOf(...groups))].filter(([name]) => !sent.has(name))).toEqual([]);
});

it("texts of administrators are texts that exist", () => {
  expect(ADMIN_NAMESPACES.filter((name) => !(name in messages))).toEqual([]);
});
