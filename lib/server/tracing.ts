import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Span as OtelSpan } from "@opentelemetry/api";
import { env } from "@/lib/kernel/env";
import { instanceName, VERSION } from "@/lib/kernel/instance";
import { doneWithin } from "@/lib/kernel/timeout";
import { type Span, type SpanKind, setTracer, type Tracer } from "@/lib/kernel/tracing";

/** How long the last spans may take when the server stops. */
const FLUSH_TIMEOUT_MS = 2_000;

/** A `traceparent` header of version 00 (W3C Trace Context, 3.2). */
const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

let close: (() => Promise<unknown>) | undefined;

/** The headers of OTEL_EXPORTER_OTLP_HEADERS: `name=value` pairs, with percent-encoded values. */
function exportHeaders(): Record<string, string> {
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? "").split(",").filter((pair) => pair.includes("="));
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf("=");
      return [pair.slice(0, end).trim(), decodeURIComponent(pair.slice(end + 1).trim())];
    }),
  );
}

/**
 * Exports spans of requests, statements, calls of the store and jobs, if OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise,
 * nothing of OpenTelemetry is loaded.
 *
 * It registers nothing globally: the SDK of Sentry has a provider and a context of its own, and neither sees the other's spans.
 */
export async function startTracing(): Promise<void> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return;
  const [
    { ROOT_CONTEXT, SpanKind: Kinds, SpanStatusCode, trace },
    sdk,
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: exportHeaders() });
  const ratio = new sdk.TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": env.OTEL_SERVICE_NAME,
      "service.version": VERSION,
      "service.instance.id": instanceName(),
    }),
    // A caller does not decide what is recorded here.
    sampler: new sdk.ParentBasedSampler({ root: ratio, remoteParentSampled: ratio, remoteParentNotSampled: ratio }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("slipway", VERSION);
  const active = new AsyncLocalStorage<OtelSpan>();
  const kinds: Record<SpanKind, number> = {
    server: Kinds.SERVER,
    client: Kinds.CLIENT,
    consumer: Kinds.CONSUMER,
    internal: Kinds.INTERNAL,
  };

  /** The context of the caller of a request. */
  const remoteContext = (traceparent: string | null | undefined) => {
    const match = TRACEPARENT.exec(traceparent ?? "");
    if (!match) return ROOT_CONTEXT;
    const [, traceId = "", spanId = "", flags = ""] = match;
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16) & 1,
      isRemote: true,
    });
  };

  const recorder: Tracer = {
    async run(name, { kind, attributes, traceparent }, work) {
      const parent = active.getStore();
      const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : remoteContext(traceparent);
      const otelSpan = tracer.startSpan(name, { kind: kinds[kind], attributes: attributes as Attributes }, context);
      const span: Span = {
        setAttributes: (more) => void otelSpan.setAttributes(more),
        // The message of an error may contain values.
        fail: () => void otelSpan.setStatus({ code: SpanStatusCode.ERROR }),
      };
      try {
        return await active.run(otelSpan, () => work(span));
      } catch (error) {
        span.fail();
        throw error;
      } finally {
        otelSpan.end();
      }
    },
  };
  setTracer(recorder);
  close = () => doneWithin(provider.shutdown(), FLUSH_TIMEOUT_MS);
}

/** Sends the last spans. */
export async function stopTracing(): Promise<void> {
  setTracer(null);
  await close?.();
  close = undefined;
}
