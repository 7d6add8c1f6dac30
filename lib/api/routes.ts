import "server-only";
import type { Route } from "@/lib/http/routes";
import { type Operation, pathOf } from "./operation";
import { route } from "./route";

/** The routes of operations, by their paths. A route that answers `GET` answers `HEAD` too. */
export function operationRoutes(operations: readonly Operation[]): Record<string, Route> {
  return Object.fromEntries(
    operations.map((operation) => [
      pathOf(operation),
      { methods: operation.method === "GET" ? ["GET", "HEAD"] : [operation.method], handle: route(operation) },
    ]),
  );
}
