import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { listProviders, providerUris } from "@/lib/auth/providers";
import { authProvidersSchema } from "../schema";

/** All ways to sign in and whether they are on, which the sign-in page shows; the rest is for administrators. */
export const getAuthProviders = defineQuery({
  area: "config",
  name: "get-auth-providers",
  summary: "List the sign-in methods",
  access: "public",
  input: z.strictObject({}),
  output: authProvidersSchema,
  errors: [],
  async handler({ db, actor }) {
    const states = await listProviders(db);
    const isAdmin = actor.kind === "user" && actor.isAdmin;
    return {
      items: states.map(({ provider, enabled, configured }) => ({
        provider,
        enabled,
        ...(isAdmin && { configured, ...providerUris(provider) }),
      })),
    };
  },
});
