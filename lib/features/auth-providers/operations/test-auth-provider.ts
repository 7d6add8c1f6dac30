import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { readProvider } from "@/lib/auth/providers";
import { checkProvider } from "@/lib/features/auth-providers/internal/checks";
import { ApiError } from "@/lib/kernel/errors";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { testAuthProviderInput, testAuthProviderResultSchema } from "../schema";

/** Tries a provider's saved configuration with the provider itself, and says in words what is wrong. Changes nothing. */
export const testAuthProvider = defineCommand({
  area: "config",
  name: "test-auth-provider",
  summary: "Test the configuration of a provider",
  access: "admin",
  input: testAuthProviderInput,
  output: testAuthProviderResultSchema,
  status: 200,
  errors: ["provider_not_configured", "provider_failed"],
  rateLimit: { points: 20, seconds: 60, by: "actor" },
  audit: { table: "AuthProvider", action: "test" },
  async prepare({ input, db, request }) {
    const { config } = await readProvider(db, input.provider);
    if (!config) throw new ApiError("provider_not_configured");
    return checkProvider(config, translatorFor(request.locale));
  },
  async handler({ input, prepared: checks }) {
    const ok = checks.every(({ outcome }) => outcome !== "failed");
    return { output: { provider: input.provider, ok, checks }, audit: { recordId: input.provider, changes: {} } };
  },
});
