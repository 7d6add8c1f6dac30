import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { getAppEnvironments } from "./get-app-environments";

/** The other name that the product's contract gives to get-app-environments. */
export const getAuthorizedEnvironmentsByApp = defineQuery({
  ...getAppEnvironments,
  name: "get-authorized-environments-by-app",
});
