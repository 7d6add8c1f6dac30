import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { removeSubscriptions } from "@/lib/testers/push-subscriptions";
import { readNotificationSettings } from "../data/notification-settings";
import { findTesterOfUser } from "../data/push-subscriptions";
import { pushSubscriptionIdInput } from "../schema";

/** Shows no more notifications in one of the caller's browsers. */
export const deletePushSubscription = defineCommand({
  area: "testers",
  name: "delete-push-subscription",
  summary: "Stop showing notifications of new releases in one of the caller’s browsers",
  access: "user",
  input: pushSubscriptionIdInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found"],
  audit: { table: "PushSubscription", action: "delete" },
  async handler({ input: { id }, actor: { userId }, tx }) {
    const testerId = orNotFound(await findTesterOfUser(tx, userId));
    const { devices } = await readNotificationSettings(tx, userId);
    const { host, client } = orNotFound(devices.find((one) => one.id === id));
    orNotFound((await removeSubscriptions(tx, testerId, { id })) === 0 ? null : id);
    return { output: undefined, audit: { recordId: userId, changes: changesBetween({ host, ...client }, null) } };
  },
});
