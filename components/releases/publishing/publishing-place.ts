import type { OperationOutput } from "@/lib/client/operation-types";
import type { ReleasePlace } from "./use-publishing";

/** The environment that a release is published to, with what the dialog checks an installer against. */
export function publishingPlace(
  app: Pick<OperationOutput<"apps/get-app">, "identifier">,
  { id, name, identifiers }: OperationOutput<"apps/get-app-environments">["items"][number],
  platforms: OperationOutput<"config/get-platforms">["items"],
): ReleasePlace {
  return {
    environment: { id, name },
    identifiers: [app.identifier, ...identifiers],
    platforms: platforms.filter(({ status }) => status === "active").map(({ id, name, kind }) => ({ id, name, kind })),
  };
}
