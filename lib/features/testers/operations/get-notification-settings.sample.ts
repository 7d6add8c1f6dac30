import { simpleSample } from "@/lib/testing/sample";
import { getNotificationSettings } from "./get-notification-settings";

export const sample = simpleSample(getNotificationSettings, () => ({}));
