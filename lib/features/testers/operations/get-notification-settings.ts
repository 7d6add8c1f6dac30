import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { readNotificationSettings } from "../data/notification-settings";
import { notificationSettingsSchema } from "../schema";

/** Which releases the caller is told of. */
export const getNotificationSettings = defineQuery({
  area: "testers",
  name: "get-notification-settings",
  summary: "Get which releases the caller is notified about",
  access: "user",
  input: z.strictObject({}),
  output: notificationSettingsSchema,
  errors: [],
  handler: ({ actor, db }) => readNotificationSettings(db, actor.userId),
});
