import "server-only";
import { env } from "@/lib/kernel/env";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { type DeviceRow, toDevice } from "../data";

/** The event of a device that its owner registered. It does not tell the UDID, which only its owner and administrators see. */
export function enrolledEvents(row: DeviceRow): ConsoleEvent[] {
  const { id, user, name, os, osVersion, model, modelName, udid, attested } = toDevice(row);
  if (!user) return [];
  const data = {
    device: { id, name, os, osVersion, model, modelName, hasUdid: udid !== null, attested },
    user: { id: user.id, email: user.email },
    url: `${env.APP_URL}${PAGES.adminDevices}`,
  };
  return [{ type: "device.enrolled", appId: null, data }];
}
