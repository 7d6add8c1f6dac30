import { expect, it } from "vitest";
import { REPLAYS_ON_ERROR_SAMPLE_RATE, REPLAYS_SAMPLE_RATE, REPORTING_OPTIONS, scrubbing } from "./options";

it("samples all traces, a tenth of the replays and all replays with an error", () => {
  expect([REPORTING_OPTIONS.tracesSampleRate, REPLAYS_SAMPLE_RATE, REPLAYS_ON_ERROR_SAMPLE_RATE]).toEqual([1, 0.1, 1]);
});

it("scrubs whatever the transport is given, also what passes no other hook", () => {
  const sent: unknown[] = [];
  const make = scrubbing(() => ({
    send: async (envelope: never) => void sent.push(envelope),
    flush: async () => true,
  }));
  const envelope = [{}, [[{ type: "event" }, { message: "to ada@example.com" }]]];
  void make({}).send(envelope as never);
  expect(JSON.stringify(sent)).toContain("to [e-mail]");
  expect(JSON.stringify(sent)).not.toContain("ada@");
});
