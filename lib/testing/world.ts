import { hashPassword } from "@/lib/auth/passwords";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { anApp, aUser, type TestUser } from "./console";

/** Secrets stored in the database that no response and no audit record may contain. */
export const CANARIES = ["canary-password-5f1c", "$argon2id$", "canary-client-secret-9b2e"] as const;

/** The password of `world.admin`. */
export const ADMIN_PASSWORD = `${CANARIES[0]} staple`;

/** The data for tests that call all operations: an administrator, an application and an environment. */
export interface World {
  admin: TestUser;
  app: Awaited<ReturnType<typeof anApp>>;
  environmentId: string;
}

export async function makeWorld(): Promise<World> {
  await ensureServerKeys();
  const admin = await aUser({ admin: true, passwordHash: await hashPassword(ADMIN_PASSWORD) });
  const app = await anApp();
  return { admin, app, environmentId: app.environmentIds[0] as string };
}
