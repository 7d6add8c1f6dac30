import { certificateSample, SAMPLE_PASSWORD } from "@slipway/certificates/testing";
import { describe, expect, it } from "vitest";
import { readCertificate, readInThread } from "./reading";

const order = { bytes: certificateSample("modern.p12"), fileName: "a.p12", password: SAMPLE_PASSWORD };

describe("the reading of a certificate file in a thread", () => {
  it("gives what the package reads", async () => {
    expect(await readInThread(order)).toMatchObject({ opened: true, chainLength: 2, expirationDate: expect.any(Date) });
  });

  it("refuses a file that is not read in time", async () => {
    await expect(readInThread(order, { timeoutMs: 0 })).rejects.toMatchObject({
      code: "invalid_certificate",
      issues: [{ path: ["value"], code: "read_error", message: "certificateUnreadable" }],
    });
  });

  it("ends when the caller no longer waits", async () => {
    const reason = new Error("gone");
    await expect(readCertificate(order, { id: "a", signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const reading = readInThread(order, { signal: controller.signal });
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it("refuses a caller who sends more than the queue holds, and still reads", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => readCertificate(order, { id: "a" })));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(2);
    for (const one of refused) {
      expect(one).toMatchObject({ reason: { code: "unavailable", detailKey: "detailCertificates", retryAfter: 5 } });
    }
  });
});
