import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { readNotificationSettings, updateNotificationSettings as update } from "../data/notification-settings";
import { notificationSettingsSchema, updateNotificationSettingsInput } from "../schema";

/** Changes which releases the caller is told of: none, or those of some groups. */
export const updateNotificationSettings = defineCommand({
  area: "testers",
  name: "update-notification-settings",
  summary: "Change which releases the caller is told of",
  access: "user",
  input: updateNotificationSettingsInput,
  output: notificationSettingsSchema,
  status: 200,
  errors: [],
  audit: { table: "User", action: "update-notifications" },
  async handler({ input, actor: { userId }, tx }) {
    await lockRow(tx, "User", userId);
    const before = await readNotificationSettings(tx, userId);
    await update(tx, userId, input);
    const output = await readNotificationSettings(tx, userId);
    const facts = ({ mail, push, groups }: typeof output) => ({
      mail,
      push,
      off: groups.flatMap((one) => (one.notify ? [] : one.id)),
    });
    return { output, audit: { recordId: userId, changes: changesBetween(facts(before), facts(output)) } };
  },
});
