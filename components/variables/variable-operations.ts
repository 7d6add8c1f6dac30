import type { VariableKind } from "@/lib/features/configuration/schema";

/** The operations on each kind of variables. */
export const VARIABLE_OPERATIONS = {
  "dev-variable": {
    create: "apps/create-development-variable",
    update: "apps/update-development-variable",
    get: "apps/get-development-variable",
  },
  "secure-variable": {
    create: "apps/create-secure-variable",
    update: "apps/update-secure-variable",
    get: "apps/get-secure-variable",
  },
} as const satisfies Record<VariableKind, object>;
