import { describe, expect, it } from "vitest";
import { helpersOf, importProblem, importsOf, LAYERS, placeProblem } from "./structure.mjs";

const problem = (from: string, to: string, typeOnly = false) => importProblem({ from, to, line: 1, typeOnly });

describe("the layers", () => {
  it("import only layers below them, so imports form no cycle", () => {
    const byName = new Map(LAYERS.map((layer) => [layer.name, layer]));
    const done = new Set<string>();
    const visit = (name: string, path: string[]) => {
      if (done.has(name) || name === "*") return;
      expect(path, [...path, name].join(" → ")).not.toContain(name);
      const layer = byName.get(name);
      expect(layer, name).toBeDefined();
      for (const next of layer?.imports ?? []) visit(next, [...path, name]);
      done.add(name);
    };
    for (const { name } of LAYERS) visit(name, []);
  });
});

describe("an import", () => {
  it("may go to a lower layer and never to a higher one", () => {
    expect(problem("lib/api/execute.ts", "lib/http/problem.ts")).toBeUndefined();
    expect(problem("lib/http/problem.ts", "lib/api/execute.ts")).toMatch(/lib\/http knows neither/);
    expect(problem("lib/kernel/env.ts", "lib/db/client.ts", true)).toMatch(/kernel imports nothing/);
    expect(problem("lib/auth/sessions.ts", "lib/mail/send.ts")).toMatch(/services before it/);
    expect(problem("lib/mail/send.ts", "lib/auth/sessions.ts")).toBeUndefined();
  });

  it("may not cross areas of components", () => {
    expect(problem("components/apps/app-dialog.tsx", "components/roles/role-dialog.tsx")).toMatch(/Areas/);
    expect(problem("components/apps/app-dialog.tsx", "components/common/form/form.tsx")).toBeUndefined();
    expect(problem("components/apps/app-dialog.tsx", "components/apps/app-form.tsx")).toBeUndefined();
  });

  it("goes to an earlier room of components/common only, and from the kit to no feature", () => {
    const [kit, shared, frame] = ["data-table/data-table.tsx", "session/leave.ts", "shell/app-shell.tsx"].map(
      (file) => `components/common/${file}`,
    ) as [string, string, string];
    expect(problem(frame, shared)).toBeUndefined();
    expect(problem(shared, kit)).toBeUndefined();
    expect(problem(kit, shared)).toMatch(/three rooms/);
    expect(problem(shared, frame, true)).toMatch(/three rooms/);
    expect(problem(kit, "lib/features/releases/schema.ts", true)).toMatch(/does not know the product/);
    expect(problem(shared, "lib/features/releases/schema.ts")).toBeUndefined();
    expect(problem("components/apps/app-dialog.tsx", frame)).toBeUndefined();
  });

  it("of another feature is limited to its data.ts, schema.ts and rules.ts", () => {
    const from = "lib/features/releases/operations/create-testing-deploy.ts";
    expect(problem(from, "lib/features/uploads/data.ts")).toBeUndefined();
    expect(problem(from, "lib/features/uploads/data/parts.ts")).toBeUndefined();
    expect(problem(from, "lib/features/uploads/rules.ts")).toBeUndefined();
    expect(problem(from, "lib/features/uploads/internal/part-urls.ts")).toMatch(/data\.ts, schema\.ts or rules\.ts/);
    expect(problem(from, "lib/features/releases/internal/inspection.ts")).toBeUndefined();
  });

  it("of server code is rejected in components, and of test code in the product", () => {
    expect(problem("components/apps/app-dialog.tsx", "lib/features/apps/data.ts")).toMatch(/stays on the server/);
    expect(problem("lib/api/execute.ts", "lib/testing/console.ts")).toMatch(/Test code/);
    expect(problem("lib/api/execute.test.ts", "lib/testing/console.ts")).toBeUndefined();
  });

  it("of screens and end-to-end tests is rejected in what calls a console", () => {
    expect(problem("bench/bench.ts", "components/common/password/use-sealed-send.ts")).toMatch(/not a screen/);
    expect(problem("torture/soak.ts", "e2e/fixtures/test.ts")).toMatch(/belongs in testing/);
    expect(problem("testing/deployment.ts", "e2e/console.ts")).toMatch(/belongs in testing/);
    expect(problem("bench/run.ts", "e2e/pages/upload-dialog.ts")).toMatch(/belongs in testing/);
    expect(problem("e2e/hard-upload.ts", "bench/memory.ts")).toBeUndefined();
    expect(problem("torture/soak.ts", "testing/deployment.ts")).toBeUndefined();
    expect(problem("e2e/console.ts", "testing/instance.ts")).toBeUndefined();
  });
});

describe("lib/compat", () => {
  const adapter = "lib/compat/appcenter/uploads.ts";

  it("reaches features by their operations and schemas", () => {
    expect(problem(adapter, "lib/features/uploads/operations/get-upload.ts")).toBeUndefined();
    expect(problem(adapter, "lib/features/releases/schema.ts")).toBeUndefined();
    expect(problem(adapter, "lib/features/uploads/data.ts")).toMatch(/by its operations/);
    expect(problem(adapter, "lib/features/releases/data/releases.ts")).toMatch(/by its operations/);
    expect(problem(adapter, "lib/features/releases/internal/publishable.ts")).toMatch(/by its operations/);
  });

  it("accesses the database only in a data.ts", () => {
    expect(problem("lib/compat/appcenter/data.ts", "lib/db/client.ts")).toBeUndefined();
    expect(problem(adapter, "lib/db/client.ts")).toMatch(/Only data\.ts/);
    expect(problem(adapter, "lib/db/query.ts")).toMatch(/Only data\.ts/);
  });
});

describe("app/", () => {
  const page = "app/(console)/home/page.tsx";

  it("reaches features by their operations, schemas and rules", () => {
    expect(problem(page, "lib/features/apps/operations/get-app.ts")).toBeUndefined();
    expect(problem(page, "lib/features/apps/schema.ts")).toBeUndefined();
    expect(problem(page, "lib/features/auth-providers/rules.ts")).toBeUndefined();
    expect(problem(page, "lib/features/apps/data.ts")).toMatch(/by its operations/);
    expect(problem(page, "lib/features/apps/data/lists.ts")).toMatch(/by its operations/);
    expect(problem(page, "lib/features/releases/internal/rights.ts")).toMatch(/by its operations/);
    expect(problem(page, "lib/db/query.ts")).toMatch(/A page only loads data/);
  });

  it("has no modules of helpers", () => {
    expect(placeProblem(page)).toBeUndefined();
    expect(placeProblem("app/api/[[...path]]/route.ts")).toBeUndefined();
    expect(placeProblem("app/api/apps/get-app/route.ts")).toMatch(/routed by lib\/operations\.ts/);
    expect(placeProblem("app/_components/newest-releases.ts")).toMatch(/app\/ holds pages/);
  });

  it("has no functions but components and Next's own", () => {
    const text = `import { cache } from "react";
const PAGE_SIZE = 50;
const loadApp = cache((id: string) => call(getApp, { id }));
export const single = (value: unknown) => value;
async function newestReleases(appId: string) {
  const nested = (id: string) => id;
}
export function* pages() {}
export async function generateMetadata() {}
function NewestRelease() {}
export default async function HomePage() {}
`;
    expect(helpersOf(page, text)).toEqual([
      { name: "loadApp", line: 3 },
      { name: "single", line: 4 },
      { name: "newestReleases", line: 5 },
      { name: "pages", line: 8 },
    ]);
    expect(helpersOf("components/home/app-cards.tsx", text)).toEqual([]);
  });
});

it("finds static, typed, re-exported, side-effect and dynamic imports with their lines", () => {
  const text = `import "server-only";
import type { A } from "@/lib/a";
import {
  b,
} from "./b";
export { c } from "../c";
const d = await import("@/lib/d");
`;
  expect(importsOf("lib/api/x.ts", text, (path) => path)).toEqual([
    { from: "lib/api/x.ts", to: "lib/a", line: 2, typeOnly: true },
    { from: "lib/api/x.ts", to: "lib/api/b", line: 3, typeOnly: false },
    { from: "lib/api/x.ts", to: "lib/c", line: 6, typeOnly: false },
    { from: "lib/api/x.ts", to: "lib/d", line: 7, typeOnly: false },
  ]);
});

it("allows only known files in feature folders and lib/", () => {
  for (const file of ["schema.ts", "data.test.ts", "operations/create-app.ts", "operations/create-app.sample.ts"]) {
    expect(placeProblem(`lib/features/apps/${file}`), file).toBeUndefined();
  }
  for (const file of ["helpers.ts", "operations/CreateApp.ts", "utils/names.ts"]) {
    expect(placeProblem(`lib/features/apps/${file}`), file).toMatch(/A feature folder holds/);
  }
  expect(placeProblem("lib/helpers.ts")).toMatch(/lib\/ holds/);
  expect(placeProblem("components/apps/app-dialog.tsx")).toBeUndefined();
});
