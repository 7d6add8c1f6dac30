import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { isHealthPath, type Routes } from "@/lib/http/routes";
import { logAccess } from "@/lib/http/server/access-log";
import { type ConsoleServer, createConsoleServer } from "@/lib/http/server/console-server";
import { makeGate } from "@/lib/http/server/gate";
import { listenerOf } from "@/lib/http/server/listener";
import { staticFiles } from "@/lib/http/server/static-files";
import { env, SettingsError } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { startErrorReporting } from "./error-reporting";
import { lanTls } from "./lan";
import { nextServer } from "./next-server";
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

async function makeServer(routes: Routes): Promise<ConsoleServer> {
  // The development server reloads changed operations, which Next routes to (app/api), and changed files.
  const development = env.NODE_ENV !== "production";
  const tls = await lanTls();
  const next = nextServer.get();
  const server = createConsoleServer((request, response) => void next.handle(request, response), {
    // Other servers of this machine have the same host names on the local network.
    hsts: env.APP_URL.startsWith("https://") && !tls,
    gate: makeGate(routes, { httpsOrigin: tls && env.APP_URL, isWaiting, development }),
    listener: inOrder(
      listenerOf(routes, {
        files: development ? undefined : staticFiles(),
        accepts: development || !env.API_BEFORE_NEXT ? isHealthPath : undefined,
      }),
      pageListener({ development }),
    ),
    tls,
    maxConnections: maxConnections(),
    onRequest: env.ACCESS_LOG ? logAccess : undefined,
  });
  if (development) server.http.on("upgrade", (...upgrade) => next.upgrades.emit("upgrade", ...upgrade));
  return server;
}

/** Accepts connections once Next can handle requests. Next's development server waits for this instance before it can. */
async function listen(server: ConsoleServer): Promise<void> {
  const { hostname, prepared } = nextServer.get();
  const listening = prepared.then(() => server.listen(env.PORT, hostname));
  if (env.NODE_ENV === "production") await listening;
}

/**
 * Starts this instance. If that fails, logs the reason and exits with 1.
 * @param routes of the API
 */
export async function registerServer(routes: Routes): Promise<void> {
  try {
    // First, so that it observes the start.
    await startErrorReporting();
    await startTracing();
    const server = await makeServer(routes);
    stopOnSignal(server);
    await startConsole(() => beginWait(server));
    await endWait();
    await listen(server);
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
