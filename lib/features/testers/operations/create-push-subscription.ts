import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { readNotificationSettings } from "../data/notification-settings";
import { subscribeUser } from "../data/push-subscriptions";
import { createPushSubscriptionInput, pushDeviceSchema } from "../schema";

/** Tells the browser of the caller of new releases from now on, by notifications. */
export const createPushSubscription = defineCommand({
  area: "testers",
  name: "create-push-subscription",
  summary: "Show notifications of new releases in the caller’s browser",
  access: "user",
  secondFactor: "recentIfEnrolled",
  input: createPushSubscriptionInput,
  output: pushDeviceSchema,
  status: 201,
  errors: [],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "PushSubscription", action: "create" },
  async handler({ input, actor: { userId }, tx, request: { userAgent, locale, now } }) {
    await lockRow(tx, "User", userId);
    const id = await subscribeUser(tx, userId, input, { userAgent, locale, now });
    const { devices } = await readNotificationSettings(tx, userId);
    const device = orNotFound(devices.find((one) => one.id === id));
    const { host, client } = device;
    return { output: device, audit: { recordId: userId, changes: changesBetween(null, { host, ...client }) } };
  },
});
