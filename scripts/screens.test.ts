import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { projectDir } from "./lib/files.mjs";

const read = (path: string) => readFileSync(join(projectDir, "e2e", path), "utf8");

it("each page is among the screens that the end-to-end tests look at in all languages", () => {
  const spec = read("screens.spec.ts");
  const pageObjects = [...spec.matchAll(/from "\.\/(pages\/[\w-]+)"/g)].map(([, file]) => read(`${file}.ts`));
  const text = [spec, ...pageObjects].join("\n");
  // The page of the certificate exists only if the console itself serves HTTPS.
  const missing = Object.values(PAGES).filter(
    (path) => path !== PAGES.trust && !new RegExp(`${path}["\`?]`).test(text),
  );
  expect(missing, "missing in SCREENS of e2e/screens.spec.ts").toEqual([]);
});
