import { processSingleton } from "./process-singleton";

/** What a span describes, as OpenTelemetry names it. */
export type SpanKind = "server" | "client" | "consumer" | "internal";

/** Attributes of a span. They must contain neither values of users nor secrets, addresses or URLs. */
type SpanAttributes = Record<string, string | number | boolean>;

interface SpanOptions {
  kind: SpanKind;
  attributes?: SpanAttributes;
  /** The `traceparent` header of the caller (W3C Trace Context), for the first span of a request. */
  traceparent?: string | null;
}

/** A span in progress. */
export interface Span {
  setAttributes(attributes: SpanAttributes): void;
  /** Marks the work as failed, which work that throws does too. */
  fail(): void;
}

/** Records spans. `lib/server/tracing.ts` makes one if traces are exported. */
export interface Tracer {
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
}

const NO_SPAN: Span = { setAttributes() {}, fail() {} };

const current = processSingleton("tracer", (): { tracer: Tracer | null } => ({ tracer: null }));

/** Sets the tracer that records spans; null stops recording. */
export function setTracer(tracer: Tracer | null): void {
  current.get().tracer = tracer;
}

/** Whether spans are recorded. */
export function isTracing(): boolean {
  return current.get().tracer !== null;
}

/** Runs work in a span, if spans are recorded. Spans that begin within the work belong to it. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { tracer } = current.get();
  return tracer === null ? work(NO_SPAN) : tracer.run(name, options, work);
}
