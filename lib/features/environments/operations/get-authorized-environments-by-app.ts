import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { getAppEnvironments } from "./get-app-environments";

/** The same query as get-app-environments, under its second name in the API. */
export const getAuthorizedEnvironmentsByApp = defineQuery({
  ...getAppEnvironments,
  name: "get-authorized-environments-by-app",
});
