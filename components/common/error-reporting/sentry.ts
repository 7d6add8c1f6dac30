import {
  browserTracingIntegration,
  captureException,
  getClient,
  init,
  makeFetchTransport,
  replayIntegration,
} from "@sentry/browser";
import { setErrorReporter } from "@/lib/client/error-reports";
import {
  REPLAYS_ON_ERROR_SAMPLE_RATE,
  REPLAYS_SAMPLE_RATE,
  REPORTING_OPTIONS,
  scrubbing,
} from "@/lib/kernel/reporting/options";

/** Starts Sentry's SDK, once for a document. */
export function startReporting(dsn: string): void {
  if (getClient()) return;
  init({
    ...REPORTING_OPTIONS,
    dsn,
    transport: scrubbing(makeFetchTransport),
    replaysSessionSampleRate: REPLAYS_SAMPLE_RATE,
    replaysOnErrorSampleRate: REPLAYS_ON_ERROR_SAMPLE_RATE,
    // Traces of the browser and of the server are not joined: other origins, such as the store, refuse unknown headers.
    tracePropagationTargets: [],
    integrations: [
      browserTracingIntegration(),
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        maskAttributes: ["title", "placeholder", "aria-label", "alt", "value"],
        networkDetailAllowUrls: [],
        // A compressed recording could not be scrubbed, and the content security policy allows no worker of a blob.
        useCompression: false,
      }),
    ],
  });
  setErrorReporter((error) => void captureException(error));
}
