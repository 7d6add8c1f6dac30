import { hashPassword } from "@/lib/auth/passwords";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { anApp, aUser, type TestUser } from "./console";

/** Secrets that are planted in the database; no answer and no audit record may ever hold one. */
export const CANARIES = ["canary-password-5f1c", "$argon2id$", "canary-client-secret-9b2e"] as const;

/** The password of `world.admin`. */
export const ADMIN_PASSWORD = `${CANARIES[0]} staple`;

/** A deployment with one of everything, for tests that go through all operations. */
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
