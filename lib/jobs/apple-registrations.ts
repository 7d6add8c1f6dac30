import "server-only";
import { registerDueDevices } from "@/lib/apple-connect/register-devices";
import type { Db } from "@/lib/db/client";
import { type Job, REQUESTED_JOB } from "./job";
import { enqueue } from "./queue";

/** Registers devices with Apple. A person requests a run; the schedule goes on with what has to wait or was interrupted. */
export const appleRegistrationsJob: Job = {
  queue: "apple-registrations",
  ...REQUESTED_JOB,
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
