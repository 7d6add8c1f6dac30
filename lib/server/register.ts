import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { logAccess } from "@/lib/http/access-log";
import { makeGate } from "@/lib/http/gate";
import { listenerOf } from "@/lib/http/listener";
import { prepareHttpServer } from "@/lib/http/node-server";
import type { Routes } from "@/lib/http/routes";
import { staticFiles } from "@/lib/http/static-files";
import { env, SettingsError } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { startErrorReporting } from "./error-reporting";
import { lanTls, openFirstConnection } from "./lan";
import { inOrder, pageListener } from "./page-listener";
import { startConsole } from "./start";
import { beginWait, endWait, isWaiting } from "./start-state";
import { isStopping, stopOnSignal } from "./stop";
import { startTracing } from "./tracing";

/**
 * Returns half of the file descriptor limit. An upload or a download needs a file in addition to its connection, and without
 * free descriptors, neither the database nor the store can be reached.
 * @returns undefined on systems without /proc
 */
function maxConnections(): number | undefined {
  const file = "/proc/self/limits";
  const limits = existsSync(file) ? readFileSync(file, "utf8") : "";
  const openFiles = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return openFiles === undefined ? undefined : Math.floor(Number(openFiles) / 2);
}

/** Accepts connections. `next dev` listens by itself (scripts/lib/late-listen.mjs). */
function listen(): void {
  (globalThis as { slipwayListen?: () => void }).slipwayListen?.();
}

/**
 * Starts this instance. If that fails, logs the reason and exits with 1.
 * @param routes of the API
 */
export async function registerServer(routes: Routes): Promise<void> {
  const started = Promise.withResolvers<void>();
  try {
    // First, so that it observes the start and the server's HTTP.
    await startErrorReporting();
    await startTracing();
    const tls = await lanTls();
    // Other servers of this machine have the same host names on the local network.
    const hsts = env.APP_URL.startsWith("https://") && !tls;
    // `next dev` uses additional requests and upgrades, and reloads changed operations.
    const beforeNext =
      env.NODE_ENV === "production"
        ? {
            gate: makeGate(routes, { httpsOrigin: tls && env.APP_URL, isWaiting }),
            listener: inOrder(listenerOf(routes, { files: staticFiles(), started: started.promise }), pageListener()),
          }
        : { gate: null, listener: null };
    const onRequest = env.ACCESS_LOG ? logAccess : undefined;
    stopOnSignal(prepareHttpServer({ hsts, ...beforeNext, tls, maxConnections: maxConnections(), onRequest }));
    if (tls) {
      listen();
      await openFirstConnection();
    }
    await startConsole(() => beginWait({ listen: env.NODE_ENV === "production" && !tls }));
    await endWait();
    started.resolve();
    if (!tls) listen();
    log.info({ afterMs: Math.round(performance.now()) }, "started");
  } catch (error) {
    // A signal during the start has closed the database, which causes errors.
    if (isStopping()) return;
    process.stderr.write(
      `Slipway cannot start: ${error instanceof SettingsError ? error.message : (error as Error).stack}\n`,
    );
    process.exit(1);
  }
}
