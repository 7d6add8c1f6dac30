import { simpleSample } from "@/lib/testing/sample";
import { updateNotificationSettings } from "./update-notification-settings";

export const sample = simpleSample(updateNotificationSettings, () => ({ mail: true }));
