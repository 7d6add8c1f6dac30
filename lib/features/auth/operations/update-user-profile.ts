import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { claimImage, dropImages } from "@/lib/features/files/data";
import { findUser, toUser, updateUser } from "../data";
import { updateUserProfileInput, userSchema } from "../schema";

/** Changes the signed-in user's own names and avatar. */
export const updateUserProfile = defineCommand({
  area: "auth",
  name: "update-user-profile",
  summary: "Change the caller’s own names and avatar",
  access: "user",
  input: updateUserProfileInput,
  output: userSchema,
  status: 200,
  errors: [],
  audit: { table: "User", action: "update" },
  async handler({ actor, input, tx, after }) {
    await lockRow(tx, "User", actor.userId);
    const before = orNotFound(await findUser(tx, actor.userId));
    const { avatarFileId, ...names } = input;
    if (avatarFileId) await claimImage(tx, avatarFileId, "avatarFileId");
    const updated = await updateUser(tx, actor.userId, {
      ...names,
      ...(avatarFileId !== undefined && { avatarFileId }),
    });
    if (avatarFileId !== undefined && before.avatarFileId !== avatarFileId) {
      after(await dropImages(tx, [before.avatarFileId]));
    }
    const facts = ({ firstNames, lastNames, avatarFileId: avatar }: typeof before) => ({
      firstNames,
      lastNames,
      avatarFileId: avatar,
    });
    return {
      output: toUser(updated),
      audit: { recordId: updated.id, changes: changesBetween(facts(before), facts(updated)) },
    };
  },
});
