import { randomUUID } from "node:crypto";
import { newSetupLink } from "@/lib/auth/setup";
import { db } from "@/lib/db/client";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { sealedPassword } from "@/lib/testing/password";
import { customSample } from "@/lib/testing/sample";
import { setupFirstAdmin } from "./setup-first-admin";

export const sample = customSample(setupFirstAdmin, {
  input: () => ({}),
  // Only a console without an administrator can be set up, so the others get another role for this call.
  arrange: async () => {
    const admins = await db.user.findMany({
      where: { role: { name: "SUPER_ADMIN" } },
      select: { id: true, roleId: true },
    });
    const aside = await db.role.create({ data: { id: randomUUID(), name: `aside ${randomUUID()}` } });
    const ids = admins.map(({ id }) => id);
    await db.user.updateMany({ where: { id: { in: ids } }, data: { roleId: aside.id } });
    const token = new URL(await newSetupLink(db, new Date())).searchParams.get("token") as string;
    const password = await sealedPassword("correct horse battery");
    return async () => {
      const answer = await send(setupFirstAdmin, ANONYMOUS, {
        token,
        firstNames: "Grace",
        lastNames: "Hopper",
        email: `${randomUUID()}@example.test`,
        password,
      });
      await db.user.updateMany({ where: { id: { in: ids } }, data: { roleId: admins[0]?.roleId } });
      return answer;
    };
  },
});
