import "server-only";
import { requireExpected, requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { endSessions, lockSession } from "@/lib/auth/sessions";
import { lockRow } from "@/lib/db/locks";
import { administratorsCanSignIn, enabledProviders, lockSignInMethods } from "@/lib/features/auth-providers/data";
import { findRole } from "@/lib/features/roles/data";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import {
  type AdministeredUserRow,
  findUser,
  hasOtherAdministrator,
  toAdministeredUser,
  updateUser as write,
} from "../data";
import { administeredUserSchema, updateUserInput } from "../schema";

const administers = (user: AdministeredUserRow) => user.status === "active" && user.role.name === SUPER_ADMIN;

const facts = ({ firstNames, lastNames, team, roleId, status }: AdministeredUserRow) => ({
  firstNames,
  lastNames,
  team,
  roleId,
  status,
});

/**
 * Changes a user. Deactivating a user or changing the role ends all of the user's sessions, so that no session has other
 * rights than it started with. At least one active SUPER_ADMIN with a way to sign in must remain.
 */
export const updateUser = defineCommand({
  area: "auth",
  name: "update-user",
  summary: "Change a user",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: updateUserInput,
  output: administeredUserSchema,
  status: 200,
  errors: ["not_found", "conflict", "last_admin"],
  audit: { table: "User", action: "update" },
  async handler({ actor, input, tx, session }) {
    const { id, ifUpdatedAt, expected, ...data } = input;
    // Locked before the user is read: two calls that would each remove one of the last two administrators run in turn.
    if (data.roleId !== undefined || data.status !== undefined) await lockSignInMethods(tx);
    const own = actor.userId === id;
    if (own) await lockSession(tx, actor);
    else await lockRow(tx, "User", id);
    const before = orNotFound(await findUser(tx, id));
    requireUnchanged(before, ifUpdatedAt);
    requireExpected(facts(before), expected);
    if (data.roleId !== undefined && (await findRole(tx, data.roleId)) === null)
      throw invalidField("roleId", "unknown");
    const updated = await write(tx, id, data);
    if (administers(before) && !administers(updated)) {
      if (!(await hasOtherAdministrator(tx, id))) throw new ApiError("last_admin");
      const remain = await administratorsCanSignIn(tx, await enabledProviders(tx), { invited: true });
      if (!remain) throw new ApiError("last_admin", { detailKey: "detailSignIn" });
    }
    const switchedOff = before.status === "active" && updated.status === "inactive";
    if (switchedOff || before.roleId !== updated.roleId) {
      await endSessions(tx, id);
      if (own) session.end();
    }
    return {
      output: toAdministeredUser(updated),
      audit: { recordId: id, changes: changesBetween(facts(before), facts(updated)) },
    };
  },
});
