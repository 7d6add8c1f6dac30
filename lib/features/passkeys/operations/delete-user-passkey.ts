import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { administratorsCanSignIn, enabledProviders, lockSignInMethods } from "@/lib/features/auth-providers/data";
import { requestNotice } from "@/lib/jobs/mail";
import { ApiError } from "@/lib/kernel/errors";
import { deletePasskey, passkeyTarget } from "../data";
import { deleteUserPasskeyInput } from "../schema";

/**
 * Deletes one of the caller's passkeys. Sessions that began with it continue. If it is the last sign-in method of the
 * administrators, it is not deleted.
 */
export const deleteUserPasskey = defineCommand({
  area: "auth",
  name: "delete-user-passkey",
  summary: "Delete one of the caller’s own passkeys",
  access: { own: "passkey" },
  secondFactor: "recentIfEnrolled",
  input: deleteUserPasskeyInput,
  output: z.undefined(),
  status: 204,
  errors: ["last_provider"],
  audit: { table: "Passkey", action: "delete" },
  target: ({ id }, db) => passkeyTarget(db, id),
  async handler({ actor, target: { passkey }, tx, request }) {
    if (actor.isAdmin) await lockSignInMethods(tx);
    await deletePasskey(tx, passkey.id);
    if (actor.isAdmin && !(await administratorsCanSignIn(tx, await enabledProviders(tx), { invited: true }))) {
      throw new ApiError("last_provider", { detailKey: "detailPasskey" });
    }
    await requestNotice(tx, { purpose: "passkey-removed", userId: actor.userId }, request);
    const { id, registrant, backedUp } = passkey;
    return {
      output: undefined,
      audit: { recordId: id, changes: changesBetween({ registrant, backedUp }, null) },
    };
  },
});
