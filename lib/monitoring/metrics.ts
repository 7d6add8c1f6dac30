import "server-only";
import { timingSafeEqual } from "node:crypto";
import { Gauge } from "prom-client";
import { readChainState } from "@/lib/audit/verification-state";
import { passwordHashes } from "@/lib/auth/passwords";
import { readBackupState } from "@/lib/backup/state";
import { db } from "@/lib/db/client";
import type { BinaryReply } from "@/lib/http/reply";
import type { RouteRequest } from "@/lib/http/routes";
import { readQueues } from "@/lib/jobs/state";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { VERSION } from "@/lib/kernel/instance";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { INSTANCE_TIMEOUT_MS } from "./instances";
import { checkDatabase, checkStore, readDisk, readPool, readShared, readStoreSpace } from "./state";

/** What is read when metrics are scraped, with its labels. Those of the database and the store are the same on all instances. */
const GAUGES = {
  slipway_instance_info: ["The version that this instance runs", "version"],
  slipway_instances: ["Instances that were seen in the last 45 seconds"],
  slipway_database_up: ["Whether the database answers this instance"],
  slipway_database_response_seconds: ["Seconds that the database took to answer, with a free connection of the pool"],
  slipway_database_pool_connections: ["Connections of this instance's pool", "state"],
  slipway_database_pool_max: ["The most connections that the pool opens"],
  slipway_database_pool_waiting: ["Queries that wait for a connection of the pool"],
  slipway_store_up: ["Whether the store for files answers this instance"],
  slipway_store_response_seconds: ["Seconds that the store took to answer"],
  slipway_store_used_bytes: ["Bytes of the files in use"],
  slipway_store_free_bytes: ["Bytes that uploads may still use, where the store is on a disk of this machine"],
  slipway_store_lost_files: ["Files in use that the latest sweep did not find in the store"],
  slipway_disk_free_bytes: ["Free bytes of the file system of DATA_DIR"],
  slipway_disk_size_bytes: ["Size of the file system of DATA_DIR"],
  slipway_queue_waiting: ["Background jobs that wait for their turn or for a retry, up to 10,000", "queue"],
  slipway_queue_active: ["Background jobs in progress on all instances, counted every minute", "queue"],
  slipway_queue_failed: ["Background jobs that failed for good and are kept, counted every minute", "queue"],
  slipway_queue_oldest_seconds: ["Age of the oldest waiting job; 0 if none waits", "queue"],
  slipway_mail_configured: ["Whether a mail server is set; without one, mails are written to files"],
  slipway_uploads_open: ["Uploads in parts that are neither complete nor expired, up to 10,000"],
  slipway_uploads_open_bytes: ["Bytes that these uploads announced"],
  slipway_audit_records: ["Records of the audit log"],
  slipway_audit_verified_records: ["Records that the latest verification found intact"],
  slipway_audit_verified_timestamp_seconds: ["When the audit log was last found intact; 0 if never"],
  slipway_audit_faults: ["Faults that the latest verification of the audit log found"],
  slipway_certificates_expired: ["Certificates in use that have expired"],
  slipway_certificates_expiring: ["Certificates in use that expire within 30 days"],
  slipway_certificates_next_expiry_timestamp_seconds: ["When the next certificate expires; absent without one"],
  slipway_backup_success_timestamp_seconds: ["When the latest backup was completed; 0 if none was"],
  slipway_backup_failed: ["Whether a backup failed and none was completed since"],
  slipway_backup_bytes: ["Bytes of the files in the latest backup"],
  slipway_backup_lost_files: ["Files in use that the store had lost when the latest backup was made"],
  slipway_password_hashes: ["Passwords that are hashed, or wait for it, on this instance", "state"],
} as const satisfies Record<string, readonly [help: string, label?: string]>;

type GaugeName = keyof typeof GAUGES;

const gauges = processSingleton("gauges", () => {
  const registers = [metrics.get().registry];
  return Object.fromEntries(
    Object.entries(GAUGES).map(([name, [help, label]]) => [
      name,
      new Gauge({ name, help, labelNames: label === undefined ? [] : [label], registers }),
    ]),
  ) as Record<GaugeName, Gauge>;
});

/** One value, or one for each value of the gauge's label; null if it is not known. */
type Value = number | null | Record<string, number>;

function set(name: GaugeName, value: Value): void {
  const gauge = gauges.get()[name];
  const [, label] = GAUGES[name] as readonly [string, string?];
  gauge.reset();
  if (typeof value === "number") gauge.set(value);
  else if (value !== null) for (const [key, one] of Object.entries(value)) gauge.set({ [label as string]: key }, one);
  // Without a label, a reset gauge is 0, which is a value.
  else if (label === undefined) gauge.remove();
}

function seconds(instant: Date | null): number {
  return instant === null ? 0 : instant.getTime() / 1000;
}

/** What this process knows of itself. */
async function collectOwn(): Promise<void> {
  const { size, max, idle, waiting } = readPool();
  set("slipway_instance_info", { [VERSION]: 1 });
  set("slipway_database_pool_connections", { used: size - idle, idle });
  set("slipway_database_pool_max", max);
  set("slipway_database_pool_waiting", waiting);
  set("slipway_password_hashes", { ...passwordHashes() });
  set("slipway_mail_configured", env.SMTP_URL === undefined ? 0 : 1);
  const disk = await readDisk();
  set("slipway_disk_free_bytes", disk?.freeBytes ?? null);
  set("slipway_disk_size_bytes", disk?.totalBytes ?? null);
}

async function collectStore(): Promise<void> {
  const [response, freeBytes] = await Promise.all([checkStore(), readStoreSpace()]);
  set("slipway_store_up", response.seconds === null ? 0 : 1);
  set("slipway_store_response_seconds", response.seconds);
  set("slipway_store_free_bytes", freeBytes);
}

/** The gauges of what the database stores, which have no value while it does not answer. */
const OF_THE_DATABASE: readonly GaugeName[] = [
  "slipway_instances",
  "slipway_store_used_bytes",
  "slipway_store_lost_files",
  "slipway_queue_waiting",
  "slipway_queue_active",
  "slipway_queue_failed",
  "slipway_queue_oldest_seconds",
  "slipway_uploads_open",
  "slipway_uploads_open_bytes",
  "slipway_audit_records",
  "slipway_audit_verified_records",
  "slipway_audit_verified_timestamp_seconds",
  "slipway_audit_faults",
  "slipway_certificates_expired",
  "slipway_certificates_expiring",
  "slipway_certificates_next_expiry_timestamp_seconds",
  "slipway_backup_success_timestamp_seconds",
  "slipway_backup_failed",
  "slipway_backup_bytes",
  "slipway_backup_lost_files",
];

async function collectDatabase(now: Date): Promise<void> {
  const response = await checkDatabase();
  set("slipway_database_up", response.seconds === null ? 0 : 1);
  set("slipway_database_response_seconds", response.seconds);
  try {
    if (response.seconds === null) throw response.error;
    await collectShared(now);
  } catch (error) {
    log.warn({ err: error }, "metrics of the database could not be read");
    for (const name of OF_THE_DATABASE) set(name, null);
  }
}

async function collectShared(now: Date): Promise<void> {
  // One after the other, so that a scrape takes one connection.
  const shared = await readShared(db, now, new Date(now.getTime() - INSTANCE_TIMEOUT_MS));
  const queues = await readQueues(db);
  const chain = await readChainState(db, now);
  const backup = await readBackupState(db);
  const byQueue = (of: (queue: (typeof queues)[number]) => number) =>
    Object.fromEntries(queues.map((queue) => [queue.queue, of(queue)]));
  set("slipway_instances", shared.instances);
  set("slipway_store_used_bytes", shared.usedBytes);
  set("slipway_store_lost_files", shared.lostFiles);
  set(
    "slipway_queue_waiting",
    byQueue(({ waiting }) => waiting),
  );
  set(
    "slipway_queue_active",
    byQueue(({ active }) => active),
  );
  set(
    "slipway_queue_failed",
    byQueue(({ failed }) => failed),
  );
  set(
    "slipway_queue_oldest_seconds",
    byQueue(({ oldestAt }) => (oldestAt === null ? 0 : Math.max(0, seconds(now) - seconds(oldestAt)))),
  );
  set("slipway_uploads_open", shared.uploads.count);
  set("slipway_uploads_open_bytes", shared.uploads.bytes);
  set("slipway_audit_records", shared.auditRecords);
  set("slipway_audit_verified_records", chain.verified?.records ?? 0);
  set("slipway_audit_verified_timestamp_seconds", seconds(chain.verified?.at ?? null));
  set("slipway_audit_faults", chain.faults.length);
  set("slipway_certificates_expired", shared.certificates.expired);
  set("slipway_certificates_expiring", shared.certificates.expiring);
  set(
    "slipway_certificates_next_expiry_timestamp_seconds",
    shared.certificates.nextAt && seconds(shared.certificates.nextAt),
  );
  set("slipway_backup_success_timestamp_seconds", seconds(backup.succeededAt));
  set("slipway_backup_failed", backup.failedAt === null ? 0 : 1);
  set("slipway_backup_bytes", Number(backup.objectBytes));
  set("slipway_backup_lost_files", backup.lostFiles);
}

/** Whether an Authorization header carries METRICS_TOKEN. Without the setting, no header does. */
function mayReadMetrics(authorization: string | null): boolean {
  if (!env.METRICS_TOKEN || !authorization?.startsWith("Bearer ")) return false;
  return timingSafeEqual(hashToken(authorization.slice(7)), hashToken(env.METRICS_TOKEN));
}

const scrape = processSingleton("scrape", (): { running: Promise<unknown> | null } => ({ running: null }));

/** Reads the gauges, once for all concurrent scrapes. */
async function collect(): Promise<void> {
  const state = scrape.get();
  state.running ??= Promise.all([collectOwn(), collectStore(), collectDatabase(new Date())]).finally(() => {
    state.running = null;
  });
  await state.running;
}

/**
 * All metrics of this instance in the Prometheus text format.
 * @throws ApiError not_authenticated without METRICS_TOKEN
 */
export async function readMetrics({ headers }: Pick<RouteRequest, "headers">): Promise<BinaryReply> {
  if (!mayReadMetrics(headers.get("authorization"))) throw new ApiError("not_authenticated");
  await collect();
  const { registry } = metrics.get();
  return {
    status: 200,
    headers: { "Content-Type": registry.contentType, "Cache-Control": "no-store" },
    body: await registry.metrics(),
  };
}
