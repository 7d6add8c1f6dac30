import "server-only";
import { requireExpected } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { listProviders, providerUris, setProviderEnabled } from "@/lib/auth/providers";
import { ApiError } from "@/lib/kernel/errors";
import { administratorsCanSignIn, enabledProviders, lockSignInMethods } from "../data";
import { authProviderSchema, updateAuthProviderInput } from "../schema";

/** Switches a way to sign in on or off. Sessions that began with it go on. */
export const updateAuthProvider = defineCommand({
  area: "config",
  name: "update-auth-provider",
  summary: "Turn a sign-in method on or off",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: updateAuthProviderInput,
  output: authProviderSchema,
  status: 200,
  errors: ["conflict", "provider_not_configured", "last_provider"],
  audit: { table: "AuthProvider", action: "update" },
  async handler({ input, tx }) {
    await lockSignInMethods(tx);
    const { provider, enabled, expected } = input;
    const before = (await listProviders(tx)).find((state) => state.provider === provider);
    const wasEnabled = before?.enabled ?? false;
    requireExpected({ enabled: wasEnabled }, expected);
    const configured = before?.configured ?? false;
    if (enabled && !configured) throw new ApiError("provider_not_configured");
    await setProviderEnabled(tx, provider, enabled);
    if (!enabled && !(await administratorsCanSignIn(tx, await enabledProviders(tx)))) {
      throw new ApiError("last_provider");
    }
    return {
      output: { provider, enabled, configured, ...providerUris(provider) },
      audit: { recordId: provider, changes: changesBetween({ enabled: wasEnabled }, { enabled }) },
    };
  },
});
