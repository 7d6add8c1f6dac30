import "server-only";
import { env } from "@/lib/kernel/env";
import { onLoggedError } from "@/lib/kernel/log";
import { REPORTING_OPTIONS, scrubbing } from "@/lib/kernel/reporting/options";

/** How long the last reports may take when the server stops. */
const FLUSH_TIMEOUT_MS = 2_000;

let close: (() => PromiseLike<unknown>) | undefined;

/** Reports the errors in the log, and the requests as traces, to Sentry, if SENTRY_DSN is set. */
export async function startErrorReporting(): Promise<void> {
  if (!env.SENTRY_DSN) return;
  const sentry = await import("@sentry/node");
  sentry.init({
    ...REPORTING_OPTIONS,
    dsn: env.SENTRY_DSN,
    transport: scrubbing(sentry.makeNodeTransport),
    // Next and this server handle what nobody caught; the others read headers, bodies or sources.
    defaultIntegrations: false,
    integrations: [
      sentry.httpIntegration(),
      sentry.eventFiltersIntegration(),
      sentry.linkedErrorsIntegration(),
      sentry.functionToStringIntegration(),
    ],
    tracePropagationTargets: [],
    serverName: "",
  });
  onLoggedError((error) => void sentry.captureException(error));
  close = () => sentry.close(FLUSH_TIMEOUT_MS);
}

/** Sends the last reports. */
export async function stopErrorReporting(): Promise<void> {
  await close?.();
}
