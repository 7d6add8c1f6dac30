import "server-only";
import { type Db, db } from "@/lib/db/client";
import { MINUTE_MS } from "@/lib/kernel/time";
import {
  type DeliveryRun,
  type DisabledWebhook,
  deliverDue,
  disableOverfull,
  trimDeliveries,
} from "@/lib/webhooks/deliver";
import { DUE_JOB, type Job, MAX_RUN_MS } from "./job";
import { requestMailToAdministrators } from "./mail";
import { dropWaiting, enqueue } from "./queue";

/** Tells administrators that a webhook was turned off. */
function requestDisabledMail(tx: Db, { name, host, failingSince }: DisabledWebhook): Promise<void> {
  const since = failingSince.toISOString();
  return requestMailToAdministrators(tx, { purpose: "webhook-disabled", name, host, since });
}

/** Makes the due deliveries, and requests a run for failed ones that are due within a minute. */
async function deliverAndRetry(run: Partial<DeliveryRun> = {}): Promise<void> {
  const now = run.now ?? (() => new Date());
  await dropWaiting(webhooksJob);
  const until = new Date(now().getTime() + MAX_RUN_MS);
  const next = await deliverDue({ onDisabled: requestDisabledMail, ...run, now, until });
  // Scheduled runs make later ones.
  if (next && next.getTime() - now().getTime() < MINUTE_MS) await enqueue(db, webhooksJob, {}, { startAfter: next });
}

/**
 * Delivers events to webhooks. A change that causes deliveries requests a run. Scheduled runs make retries, and
 * deliveries of an instance that was killed before or after it requested a run.
 */
export const webhooksJob: Job = {
  queue: "webhooks",
  // The polling interval is for the first retry.
  ...DUE_JOB,
  async run(_data, { signal }) {
    await deliverAndRetry({ signal });
    await trimDeliveries(new Date());
    await disableOverfull({ now: () => new Date(), onDisabled: requestDisabledMail });
    return "done";
  },
};

/** Requests that deliveries be made now, after the commit of what caused them. */
export function requestDeliveries(): Promise<void> {
  return enqueue(db, webhooksJob, {});
}
