import { send } from "@/lib/testing/console";
import { passkeyCreation } from "@/lib/testing/passkeys";
import { customSample } from "@/lib/testing/sample";
import { validateCreatePasskey } from "./validate-create-passkey";

export const sample = customSample(validateCreatePasskey, {
  input: () => ({}),
  arrange: async ({ verifiedAdmin }, owner = verifiedAdmin) => {
    const input = await passkeyCreation(owner);
    return (sender = owner) => send(validateCreatePasskey, sender, input);
  },
});
