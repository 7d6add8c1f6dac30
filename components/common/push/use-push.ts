"use client";

import { useCallback, useEffect, useState } from "react";
import {
  endpointHash,
  type PushState,
  pushSupport,
  readPushState,
  subscribeBrowser,
  unsubscribeBrowser,
} from "@/lib/client/push/browser-push";
import { useOperation } from "@/lib/client/use-operation";
import { WORKER_PATH } from "@/lib/client/worker/protocol";
import type { NotificationSettings, PushDevice } from "@/lib/features/testers/schema";
import { declinePush } from "./declined";

/** Notifications of new releases in this browser. */
export interface Push {
  /** `loading` until the browser has answered. */
  state: PushState | "loading";
  /** The browsers of the user. */
  devices: readonly PushDevice[];
  /** This browser among them; null if it is not subscribed. */
  ownId: string | null;
  /** Whether a change is being made. */
  pending: boolean;
  /** Whether the browser did not subscribe. */
  failed: boolean;
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
  /** Ends notifications in another browser of the user. @returns whether it succeeded */
  remove(id: string): Promise<boolean>;
}

const registration = () => navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: "none" });

/** The state of this browser, and the user's browser that it is. */
async function readState(
  key: string,
  devices: readonly PushDevice[],
): Promise<{ state: PushState; ownId: string | null }> {
  const support = pushSupport();
  if (support !== "supported") return { state: support, ownId: null };
  const { state, subscription } = await readPushState(await registration(), key);
  if (subscription === null) return { state, ownId: null };
  const hash = await endpointHash(subscription.endpoint);
  const own = devices.find((device) => device.endpointHash === hash);
  // Another user of this browser may have subscribed it.
  return own ? { state, ownId: own.id } : { state: "off", ownId: null };
}

/** Turns notifications of new releases on and off in this browser. */
export function usePush({ pushKey, devices: initial }: Pick<NotificationSettings, "pushKey" | "devices">): Push {
  const [devices, setDevices] = useState<readonly PushDevice[]>(initial);
  const [own, setOwn] = useState<{ state: Push["state"]; ownId: string | null }>({ state: "loading", ownId: null });
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const create = useOperation("testers/create-push-subscription");
  const end = useOperation("testers/delete-push-subscription");

  useEffect(() => {
    let left = false;
    readState(pushKey, devices).then(
      (read) => {
        if (!left) setOwn(read);
      },
      // Some browsers refuse a worker in private windows.
      () => {
        if (!left) setOwn({ state: "unsupported", ownId: null });
      },
    );
    return () => {
      left = true;
    };
  }, [pushKey, devices]);

  const turnOn = useCallback(async () => {
    setBusy(true);
    setFailed(false);
    try {
      const subscription = await subscribeBrowser(await registration(), pushKey);
      if (subscription === "denied") setDevices((before) => [...before]);
      else {
        const result = await create.run(subscription);
        if (result.ok) setDevices((before) => [result.data, ...before.filter(({ id }) => id !== result.data.id)]);
      }
    } catch {
      setFailed(true);
    }
    setBusy(false);
  }, [create, pushKey]);

  const remove = useCallback(
    async (id: string) => {
      const result = await end.run({ id });
      if (result.ok) setDevices((before) => before.filter((device) => device.id !== id));
      return result.ok;
    },
    [end],
  );

  const turnOff = useCallback(async () => {
    if (own.ownId === null) return;
    setBusy(true);
    if (await remove(own.ownId)) {
      declinePush();
      await unsubscribeBrowser().catch(() => {});
    }
    setBusy(false);
  }, [own.ownId, remove]);

  return { ...own, devices, pending: busy || end.pending, failed, turnOn, turnOff, remove };
}
