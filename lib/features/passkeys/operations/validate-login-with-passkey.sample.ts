import { ANONYMOUS, send } from "@/lib/testing/console";
import { aPasskey, passkeyAssertion } from "@/lib/testing/passkeys";
import { customSample } from "@/lib/testing/sample";
import { validateLoginWithPasskey } from "./validate-login-with-passkey";

export const sample = customSample(validateLoginWithPasskey, {
  input: () => ({}),
  arrange: async ({ verifiedAdmin }, owner = ANONYMOUS) => {
    const { authenticator } = await aPasskey(verifiedAdmin);
    const input = await passkeyAssertion(authenticator);
    return (sender = owner) => send(validateLoginWithPasskey, sender, input);
  },
});
