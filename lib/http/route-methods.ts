import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The methods that each path of the API answers: of fixed paths alone, without those that are patterns. */
export type RouteMethods = Record<string, readonly string[]>;

const METHOD_EXPORT = /^export const (GET|POST|PUT|PATCH|DELETE) = /gm;

/**
 * Reads the methods from the route files, as Next does: by the names of their exports. A route that answers `GET`
 * answers `HEAD` too.
 *
 * @param projectDir the folder in which `app/` is
 */
export function readRouteMethods(projectDir: string): RouteMethods {
  const methods: RouteMethods = {};
  for (const file of globSync("app/api/**/route.ts", { cwd: projectDir })) {
    const path = file.replaceAll("\\", "/").replace(/^app(.*)\/route\.ts$/, "$1");
    if (path.includes("[")) continue;
    const source = readFileSync(join(projectDir, file), "utf8");
    const exported = [...source.matchAll(METHOD_EXPORT)].map(([, method]) => method as string);
    methods[path] = exported.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  }
  return methods;
}
