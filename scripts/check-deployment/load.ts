import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, Client, type Target } from "./client";

export interface LoadResult {
  requests: number;
  /** What was sent and how it was answered, for each request that failed. */
  failures: string[];
  slowestMs: number;
}

/**
 * Sends reads, lists, changes, pages and uploads in parts at the same time while `disturbance` happens, and for as long after it as
 * before it.
 */
export async function underLoad(
  target: Target,
  disturbance: () => Promise<unknown>,
  settleMs = 6_000,
): Promise<LoadResult> {
  const client = new Client(target);
  await client.signIn();
  const { appId } = await client.place();
  const result: LoadResult = { requests: 0, failures: [], slowestMs: 0 };
  let isOver = false;
  const one = async (name: string, send: () => Promise<Answer>) => {
    const begin = performance.now();
    result.requests += 1;
    try {
      const { status, bytes } = await send();
      if (![200, 201, 204].includes(status)) result.failures.push(`${name}: ${status} ${bytes.subarray(0, 100)}`);
    } catch (error) {
      result.failures.push(`${name}: ${(error as Error).message}`);
    }
    result.slowestMs = Math.max(result.slowestMs, Math.round(performance.now() - begin));
  };
  const change = () =>
    client.post("apps/update-app", {
      id: appId,
      name: "Check",
      status: "active",
      description: randomBytes(6).toString("hex"),
    });
  /** Gives the upload up afterwards, since a user may have 50 that are not published. */
  const upload = async () => {
    const done = await client.uploadInParts(randomBytes(200_000));
    if (done.uploadId) await client.post("files/abort-upload", { uploadId: done.uploadId });
    return done;
  };
  const kinds: [string, number, () => Promise<Answer>][] = [
    ["read", 40, () => client.get("auth/get-user-profile")],
    ["list", 40, () => client.get("apps/get-apps")],
    ["change", 40, change],
    ["page", 250, () => client.page("/admin-apps")],
    ["upload", 1_500, upload],
    ["read", 40, () => client.get("config/get-app-config")],
  ];
  const running = kinds.map(async ([name, pauseMs, send]) => {
    while (!isOver) {
      await one(name, send);
      await delay(pauseMs);
    }
  });
  try {
    await delay(settleMs);
    await disturbance();
    await delay(settleMs);
  } finally {
    isOver = true;
    await Promise.all(running);
    client.close();
  }
  return result;
}
