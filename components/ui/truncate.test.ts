import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "tailwindcss";
import { expect, it } from "vitest";
import { projectDir } from "@/scripts/lib/files.mjs";

/** The rules of classes, as the build makes them of `globals.css`. */
async function rulesOf(classes: string[]): Promise<string> {
  const styles = readFileSync(join(projectDir, "app/globals.css"), "utf8");
  const loadStylesheet = async (id: string, base: string) => ({
    path: id,
    base,
    content: readFileSync(
      join(projectDir, "node_modules", id === "tailwindcss" ? "tailwindcss/index.css" : id),
      "utf8",
    ),
  });
  const css = (await compile(styles, { base: projectDir, loadStylesheet })).build(classes);
  return css.slice(css.indexOf("@layer utilities {"));
}

it("cuts a text at the end of its own direction, with every variant, and leaves its alignment to other classes", async () => {
  const rules = await rulesOf(["truncate", "max-lg:truncate", "text-center", "text-end"]);
  const declarations = [...rules.matchAll(/\.(?:max-lg\\:)?truncate \{([^}]*)\}/g)].map(([, body]) => body);
  expect(declarations).toHaveLength(2);
  for (const body of declarations) {
    expect(body).toContain("text-overflow: ellipsis");
    expect(body).toContain("unicode-bidi: plaintext");
  }
  for (const alignment of [".text-center", ".text-end"]) {
    expect(rules.indexOf(alignment)).toBeGreaterThan(rules.indexOf(".truncate"));
  }
});
