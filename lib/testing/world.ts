import { hashPassword } from "@/lib/auth/passwords";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { SCOPES } from "@/lib/permissions/scopes";
import { anApp, aToken, aUser, type Caller, type TestUser } from "./console";
import { withTwoFactor } from "./two-factor";

/** Secrets stored in the database that no response and no audit record may contain. */
export const CANARIES = ["canary-password-5f1c", "$argon2id$", "canary-client-secret-9b2e"] as const;

/** The password of `world.admin`. */
export const ADMIN_PASSWORD = `${CANARIES[0]} staple`;

/** The data for tests that call all operations: an administrator, an application and an environment. */
export interface World {
  admin: TestUser;
  /** An administrator whose session has passed a second factor. */
  verifiedAdmin: TestUser;
  /** A server's API token of the environment with every scope. */
  server: Caller;
  app: Awaited<ReturnType<typeof anApp>>;
  environmentId: string;
}

let passwordHash: string | undefined;

/** Makes a world that shares with others only what a new database has: the platforms, the settings and the role of administrators. */
export async function makeWorld(): Promise<World> {
  await ensureServerKeys();
  passwordHash ??= await hashPassword(ADMIN_PASSWORD);
  const admin = await aUser({ admin: true, passwordHash });
  const verifiedAdmin = await aUser({ admin: true });
  await withTwoFactor(verifiedAdmin, { passed: true });
  const app = await anApp();
  const environmentId = app.environmentIds[0] as string;
  const server = await aToken({ appId: app.appId, environmentId, scopes: [...SCOPES] });
  return { admin, verifiedAdmin, server, app, environmentId };
}
