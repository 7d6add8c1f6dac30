import "server-only";
import { registerDueDevices } from "@/lib/apple-connect/register-devices";
import type { Db } from "@/lib/db/client";
import type { Job } from "./job";
import { enqueue } from "./queue";

/** Registers devices with Apple. A person requests a run; the schedule goes on with what has to wait or was interrupted. */
export const appleRegistrationsJob: Job = {
  queue: "apple-registrations",
  // `stately`: one run at a time, and one that waits.
  options: {
    policy: "stately",
    notify: true,
    retryLimit: 3,
    retryDelay: 60,
    expireInSeconds: 3_600,
    // Of a run on an instance that was killed.
    heartbeatSeconds: 60,
  },
  work: { pollingIntervalSeconds: 5 },
  schedule: "*/5 * * * *",
  async run(_data, { signal }) {
    await registerDueDevices({ signal });
    return "done";
  },
};

/** Requests a run after the commit of a transaction. */
export function requestAppleRegistrations(tx: Db): Promise<void> {
  return enqueue(tx, appleRegistrationsJob, {});
}
