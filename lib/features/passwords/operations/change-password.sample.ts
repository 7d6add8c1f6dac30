import { hashPassword } from "@/lib/auth/passwords";
import { db } from "@/lib/db/client";
import { aUser, send } from "@/lib/testing/console";
import { sealedPassword } from "@/lib/testing/password";
import { customSample } from "@/lib/testing/sample";
import { isTestUser } from "@/lib/testing/two-factor";
import { changePassword } from "./change-password";

const CURRENT = "correct horse battery";

export const sample = customSample(changePassword, {
  input: () => ({}),
  arrange: async (_world, owner) => {
    const user = owner && isTestUser(owner) ? owner : await aUser();
    await db.user.update({ where: { id: user.userId }, data: { passwordHash: await hashPassword(CURRENT) } });
    return async (sender = user) =>
      send(changePassword, sender, {
        currentPassword: await sealedPassword(CURRENT),
        password: await sealedPassword("a lantern on the quay"),
      });
  },
});
