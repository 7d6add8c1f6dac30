import { UpdateEnvironmentButton } from "@/components/environments/environment-actions";
import { EnvironmentFacts } from "@/components/environments/environment-facts";
import { call } from "@/lib/api/call";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { EnvironmentPage, type LoadedEnvironment } from "./environment-page";

/** The name, the identifiers and the status of an environment. */
export async function EnvironmentSettings(loaded: LoadedEnvironment) {
  const environment = await call(getEnvironmentApp, { id: loaded.environment.id });
  const mayUpdate = environment.scopes.includes("environment:write");
  return (
    <EnvironmentPage
      {...loaded}
      tab="settings"
      action={mayUpdate && <UpdateEnvironmentButton environment={environment} />}
    >
      <EnvironmentFacts environment={environment} />
    </EnvironmentPage>
  );
}
