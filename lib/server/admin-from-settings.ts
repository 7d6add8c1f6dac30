import "server-only";
import { writeAudit } from "@/lib/audit/write";
import { createFirstAdmin, hasSuperAdmin } from "@/lib/auth/first-admin";
import { hashPassword, requireGoodPassword } from "@/lib/auth/passwords";
import { db } from "@/lib/db/client";
import { SettingsError } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";

/**
 * Creates the first SUPER_ADMIN from `SETUP_ADMIN_EMAIL` and `SETUP_ADMIN_PASSWORD`, with a record in the audit log, unless
 * there is one.
 * @throws SettingsError if the password is not good enough
 */
export async function createAdminFromSettings({ email, password }: { email: string; password: string }): Promise<void> {
  if (await hasSuperAdmin(db)) return;
  try {
    requireGoodPassword(password, [email, "slipway"]);
  } catch (error) {
    const reason = error instanceof ApiError ? error.issues[0]?.message : undefined;
    throw new SettingsError(`SETUP_ADMIN_PASSWORD: refused (${reason}); choose a longer, less common one`);
  }
  const passwordHash = await hashPassword(password);
  const names = { firstNames: "Admin", lastNames: "Slipway" };
  try {
    await db.$transaction(async (tx) => {
      const recordId = await createFirstAdmin(tx, { ...names, email, passwordHash, locale: null });
      await writeAudit(tx, {
        actor: { kind: "anonymous", expired: false },
        request: { now: new Date(), ip: null, requestId: newId() },
        table: "User",
        action: "setup",
        recordId,
        changes: { email: [null, email], by: [null, "SETUP_ADMIN_EMAIL"] },
      });
    });
    log.info("the first administrator was created from SETUP_ADMIN_EMAIL");
  } catch (error) {
    // Another instance created it at the same time.
    if (!(error instanceof ApiError && error.code === "already_set_up")) throw error;
  }
}
