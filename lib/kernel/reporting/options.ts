import { type Envelope, scrubEnvelope, scrubValue } from "./scrub";

/** Shares of what is recorded; the specification's constants. */
const TRACES_SAMPLE_RATE = 1;
export const REPLAYS_SAMPLE_RATE = 0.1;
export const REPLAYS_ON_ERROR_SAMPLE_RATE = 1;

/** Nothing that Sentry's SDK would collect by itself about users, requests or the database. */
const NO_DATA = {
  userInfo: false,
  cookies: false,
  httpHeaders: false,
  httpBodies: [] as [],
  urlQueryParams: false,
  databaseQueryData: false,
  queues: false,
  stackFrameVariables: false,
};

/** @param event of Sentry's SDK; `sdkProcessingMetadata` is its own, and is not sent */
function scrubEvent<T extends { sdkProcessingMetadata?: unknown }>(event: T): T {
  const { sdkProcessingMetadata, ...sent } = event;
  return { ...(scrubValue(sent) as T), sdkProcessingMetadata };
}

/** The settings of Sentry's SDK in the browser and on the server. */
export const REPORTING_OPTIONS = {
  tracesSampleRate: TRACES_SAMPLE_RATE,
  // Spans are sent with their transaction, which `beforeSendTransaction` sees as a whole.
  traceLifecycle: "static",
  dataCollection: NO_DATA,
  maxBreadcrumbs: 30,
  beforeSend: scrubEvent,
  beforeSendTransaction: scrubEvent,
  beforeBreadcrumb: <T>(breadcrumb: T): T => scrubValue(breadcrumb) as T,
} as const;

interface Transport<Answer> {
  send(envelope: never): PromiseLike<Answer>;
  flush(timeout?: number): PromiseLike<boolean>;
}

/** Returns a transport like the given one that scrubs everything that it sends. Replays reach only the transport. */
export function scrubbing<Options, T extends Transport<unknown>>(
  make: (options: Options) => T,
): (options: Options) => T {
  return (options) => {
    const transport = make(options);
    const send = (envelope: unknown) => transport.send(scrubEnvelope(envelope as Envelope) as never);
    return { ...transport, send } as T;
  };
}
