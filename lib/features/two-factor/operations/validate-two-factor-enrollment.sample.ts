import { db } from "@/lib/db/client";
import { aUser, send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { codeOf, isTestUser, withTwoFactor } from "@/lib/testing/two-factor";
import { validateTwoFactorEnrollment } from "./validate-two-factor-enrollment";

export const sample = customSample(validateTwoFactorEnrollment, {
  input: () => ({}),
  arrange: async (_world, owner) => {
    const user = owner && isTestUser(owner) ? owner : await aUser({ admin: true });
    const secret = await withTwoFactor(user, { passed: true });
    await db.twoFactor.update({ where: { userId: user.userId }, data: { enabledAt: null } });
    return (sender = user) => send(validateTwoFactorEnrollment, sender, { code: codeOf(secret) });
  },
});
