import "server-only";
import { db } from "@/lib/db/client";
import { BEFORE_ALL_IDS } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { DAY_MS, MINUTE_MS } from "@/lib/kernel/time";
import { type AppStore, AppStoreError, appStore } from "./client";
import {
  type DeviceResult,
  type DeviceToRegister,
  type DueRegistration,
  endRegistration,
  keepResult,
  nextDevices,
  nextRegistration,
  postponeRegistration,
  readCredentials,
} from "./data";

/** Apple's limit counts the requests of an hour. */
const RATE_LIMIT_WAIT_MS = 10 * MINUTE_MS;
const FAILURE_WAIT_MS = 2 * MINUTE_MS;
/** Failures one after another until a registration is given up. */
const MAX_ATTEMPTS = 5;
/** How long a registration may wait for Apple's limit. */
const MAX_WAIT_MS = DAY_MS;

/** Registers a device that the team did not have when its devices were listed. */
async function registerOne(store: AppStore, device: DeviceToRegister): Promise<DeviceResult> {
  try {
    await store.register(device);
    return { result: "registered", detail: null };
  } catch (error) {
    const isRefusal = error instanceof AppStoreError && (error.failure === "refused" || error.failure === "forbidden");
    if (!isRefusal) throw error;
    // Apple says only in words that the team has it, such as by another run.
    const status = await store.find(device.udid);
    if (status !== null) return { result: status === "disabled" ? "disabled" : "already", detail: null };
    return { result: "refused", detail: error.detail };
  }
}

async function registerAll(store: AppStore, { id }: DueRegistration, signal: AbortSignal): Promise<void> {
  const known = await store.devices();
  for (let batch = await nextDevices(db, id); batch.length > 0; batch = await nextDevices(db, id)) {
    for (const device of batch) {
      signal.throwIfAborted();
      const status = known.get(device.udid.toUpperCase());
      const outcome: DeviceResult = status
        ? { result: status === "disabled" ? "disabled" : "already", detail: null }
        : await registerOne(store, device);
      await keepResult(db, { registrationId: id, deviceId: device.id, ...outcome });
    }
  }
}

/** Puts off or ends a registration that Apple did not let go on. */
async function afterFailure(
  { id, attempts, createdAt }: DueRegistration,
  { failure, detail }: AppStoreError,
  now: Date,
): Promise<void> {
  const waited = now.getTime() - createdAt.getTime();
  const mayWait = failure === "rate_limited" && waited < MAX_WAIT_MS;
  const mayTry = failure === "unreachable" && attempts + 1 < MAX_ATTEMPTS;
  if (!mayWait && !mayTry) return endRegistration(db, id, { error: failure, detail, now });
  const nextAt = new Date(now.getTime() + (mayWait ? RATE_LIMIT_WAIT_MS : FAILURE_WAIT_MS));
  return postponeRegistration(db, id, { nextAt, error: failure, detail, attempts: mayTry ? attempts + 1 : attempts });
}

/**
 * Registers the devices of all registrations that are due with Apple, one after another. A run that was killed is gone on with: each
 * device is written down as soon as Apple has answered.
 */
export async function registerDueDevices({
  signal,
  now = () => new Date(),
}: {
  signal: AbortSignal;
  now?: () => Date;
}): Promise<void> {
  let after = BEFORE_ALL_IDS;
  for (let due = await nextRegistration(db, now(), after); due; due = await nextRegistration(db, now(), after)) {
    after = due.id;
    const { id, environmentId } = due;
    const credentials = await readCredentials(db, environmentId);
    if (!credentials) {
      await endRegistration(db, id, { error: "no_key", detail: null, now: now() });
      continue;
    }
    try {
      await registerAll(appStore(credentials, { signal }), due, signal);
      await endRegistration(db, id, { error: null, detail: null, now: now() });
    } catch (error) {
      if (!(error instanceof AppStoreError)) throw error;
      log.warn({ registrationId: id, failure: error.failure }, "devices could not be registered with Apple");
      await afterFailure(due, error, now());
    }
  }
}
