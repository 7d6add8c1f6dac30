"use client";

import { useLocale } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { hasUnsavedWork } from "@/components/common/use-unsaved-work";
import { type PageMessage, STATIC_PREFIX, WORKER_PATH } from "@/lib/client/worker/protocol";
import { languageOf } from "@/lib/kernel/i18n/locales";

/** How often a page that stays open looks for a new version. */
const CHECK_INTERVAL_MS = 3_600_000;

/** Calls `found` with each worker that is ready to take over. @returns a function that stops watching */
function watchForUpdates(registration: ServiceWorkerRegistration, found: (worker: ServiceWorker) => void): () => void {
  const report = () => {
    // Without a controller, this is the first version.
    if (registration.waiting && navigator.serviceWorker.controller) found(registration.waiting);
  };
  const follow = () => registration.installing?.addEventListener("statechange", report);
  // A failure means that there is no connection.
  const check = () => void registration.update().catch(() => {});
  const checkWhenShown = () => {
    if (document.visibilityState === "visible") check();
  };
  report();
  follow();
  registration.addEventListener("updatefound", follow);
  document.addEventListener("visibilitychange", checkWhenShown);
  const interval = window.setInterval(check, CHECK_INTERVAL_MS);
  return () => {
    registration.removeEventListener("updatefound", follow);
    document.removeEventListener("visibilitychange", checkWhenShown);
    window.clearInterval(interval);
  };
}

function loadedStaticFiles(): string[] {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith(STATIC_PREFIX))
    .map(({ pathname }) => pathname);
}

interface NewVersion {
  /** Whether a new version waits. */
  available: boolean;
  /** Lets the new version take over and reloads the page. @returns false while there is unsaved work in any tab */
  apply(): Promise<boolean>;
}

/** Registers the service worker and reports when a new version of it waits. */
export function useNewVersion(): NewVersion {
  const language = languageOf(useLocale());
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);
  const reloading = useRef(false);

  useEffect(() => {
    let stop: (() => void) | undefined;
    let left = false;
    navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: "none" }).then(
      (registration?: ServiceWorkerRegistration) => {
        // Some extensions that block workers resolve without a registration.
        if (registration && !left) stop = watchForUpdates(registration, setWaiting);
      },
      // The development server has no worker, and some browsers refuse one in private windows.
      () => {},
    );
    return () => {
      left = true;
      stop?.();
    };
  }, []);

  useEffect(() => {
    const message: PageMessage = { type: "PAGE", locale: language, files: loadedStaticFiles() };
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(message));
  }, [language]);

  useEffect(() => {
    const reload = () => {
      if (reloading.current) location.reload();
    };
    navigator.serviceWorker.addEventListener("controllerchange", reload);
    return () => navigator.serviceWorker.removeEventListener("controllerchange", reload);
  }, []);

  const apply = useCallback(async () => {
    if (!waiting || (await hasUnsavedWork())) return false;
    reloading.current = true;
    // Another tab may have let it take over already.
    if (waiting.state === "installed") waiting.postMessage({ type: "SKIP_WAITING" } satisfies PageMessage);
    else location.reload();
    return true;
  }, [waiting]);

  return { available: waiting !== null, apply };
}
