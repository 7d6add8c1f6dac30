import { describe, expect, it } from "vitest";
import { SpeedMeter } from "./speed-meter";

/** Records a steady transfer. */
function flow(meter: SpeedMeter, options: { from: number; total: number; ms: number; bytesPerSecond: number }): void {
  for (let ms = 0; ms <= options.ms; ms += 100) {
    meter.record(options.total + (options.bytesPerSecond * ms) / 1_000, options.from + ms);
  }
}

describe("SpeedMeter", () => {
  it("returns null before it has measured for a second", () => {
    const meter = new SpeedMeter();
    flow(meter, { from: 0, total: 0, ms: 900, bytesPerSecond: 5_000 });
    expect(meter.bytesPerSecond).toBeNull();
  });

  it("measures the speed of a steady transfer", () => {
    const meter = new SpeedMeter();
    flow(meter, { from: 50_000, total: 7_000_000, ms: 3_000, bytesPerSecond: 1_000_000 });
    expect(meter.bytesPerSecond).toBeCloseTo(1_000_000, 0);
  });

  it("smooths a short change and follows a lasting one", () => {
    const meter = new SpeedMeter();
    flow(meter, { from: 0, total: 0, ms: 10_000, bytesPerSecond: 1_000_000 });
    flow(meter, { from: 10_100, total: 10_000_000, ms: 500, bytesPerSecond: 0 });
    expect(meter.bytesPerSecond).toBeGreaterThan(850_000);
    flow(meter, { from: 10_700, total: 10_000_000, ms: 30_000, bytesPerSecond: 0 });
    expect(meter.bytesPerSecond).toBeLessThan(10_000);
  });

  it("combines many records within a short interval", () => {
    const meter = new SpeedMeter();
    for (let ms = 0; ms <= 4_000; ms += 1) meter.record(ms * 100, ms);
    expect(meter.bytesPerSecond).toBeCloseTo(100_000, 0);
  });

  it("discards measurements before a reset", () => {
    const meter = new SpeedMeter();
    flow(meter, { from: 0, total: 0, ms: 5_000, bytesPerSecond: 1_000 });
    meter.reset();
    expect(meter.bytesPerSecond).toBeNull();
  });
});
