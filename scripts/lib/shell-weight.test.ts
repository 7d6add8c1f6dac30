import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "./files.mjs";
import { importsOf } from "./structure.mjs";

const EXTENSIONS = [".ts", ".tsx", "/index.ts", ""];
const resolve = (path: string) =>
  EXTENSIONS.map((extension) => path + extension).find(
    (file) => /\.\w+$/.test(file) && existsSync(join(projectDir, file)),
  );

/** The files that a file imports when it is loaded, each with the chain of imports that leads to it. */
function loadedWith(entry: string): Map<string, string[]> {
  const chains = new Map([[entry, [entry]]]);
  for (const [file, chain] of chains) {
    const text = readFileSync(join(projectDir, file), "utf8").replace(/\bimport\([^)]*\)/g, "");
    for (const { to, typeOnly } of importsOf(file, text, resolve)) {
      if (!typeOnly && !chains.has(to)) chains.set(to, [...chain, to]);
    }
  }
  return chains;
}

it.each([
  // Loaded by every page. zod alone has 33 kB.
  { entry: "components/common/navigation/console-frame.tsx", excluded: ["zod", "cmdk", "react-hook-form"] },
  {
    entry: "components/common/navigation/tester-frame.tsx",
    excluded: ["zod", "cmdk", "react-hook-form", "./app-switcher", "./nav-list"],
  },
  { entry: "app/providers.tsx", excluded: ["zod", "cmdk", "react-hook-form"] },
  { entry: "components/auth/login-form.tsx", excluded: ["zod", "react-hook-form"] },
  { entry: "components/auth/setup-form.tsx", excluded: ["zod"] },
  { entry: "components/auth/reset-password-form.tsx", excluded: ["zod"] },
  { entry: "components/permissions/permission-actions.tsx", excluded: ["zod", "cmdk", "react-hook-form"] },
  { entry: "components/permissions/role-access.tsx", excluded: ["zod", "cmdk", "react-hook-form"] },
])("$entry loads without $excluded", ({ entry, excluded }) => {
  for (const [file, chain] of loadedWith(entry)) {
    const text = readFileSync(join(projectDir, file), "utf8");
    const loaded = excluded.filter((name) =>
      new RegExp(`^(import|\\} from|export) (?!type).*"${name}"`, "m").test(text),
    );
    expect([loaded, loaded.length > 0 ? chain.join(" > ") : ""]).toEqual([[], ""]);
  }
});
