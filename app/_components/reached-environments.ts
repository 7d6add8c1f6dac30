import { call } from "@/lib/api/call";
import type { OperationOutput } from "@/lib/client/operation-types";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";

/** An environment with the scopes that the user has there. */
export type ReachedEnvironment = OperationOutput<"apps/get-authorized-environments-by-app">["items"][number];

/** All environments of an application that the user has access to, by name. */
export async function reachedEnvironments(appId: string): Promise<ReachedEnvironment[]> {
  const environments: ReachedEnvironment[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call(getAuthorizedEnvironmentsByApp, { appId, limit: 100, sort: "name", cursor });
    environments.push(...page.items);
    if (page.nextCursor === null) return environments;
    cursor = page.nextCursor;
  }
}
