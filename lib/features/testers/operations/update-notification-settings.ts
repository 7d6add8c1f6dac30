import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { readNotificationSettings, updateNotificationSettings as update } from "../data/notification-settings";
import { notificationSettingsSchema, updateNotificationSettingsInput } from "../schema";

/** Changes what the caller is told of: releases, all or those of some groups, and what ends. */
export const updateNotificationSettings = defineCommand({
  area: "testers",
  name: "update-notification-settings",
  summary: "Change what the caller is notified about",
  access: "user",
  input: updateNotificationSettingsInput,
  output: notificationSettingsSchema,
  status: 200,
  errors: [],
  audit: { table: "User", action: "update-notifications" },
  async handler({ input, actor: { userId }, tx, request }) {
    await lockRow(tx, "User", userId);
    const before = await readNotificationSettings(tx, userId);
    await update(tx, userId, input, request);
    const output = await readNotificationSettings(tx, userId);
    const facts = ({ mail, push, expiry, groups }: typeof output) => ({
      mail,
      push,
      expiry,
      off: groups.flatMap((one) => (one.notify ? [] : one.id)),
    });
    return { output, audit: { recordId: userId, changes: changesBetween(facts(before), facts(output)) } };
  },
});
