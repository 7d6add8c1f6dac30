import { expect, it } from "vitest";
import { makeSigningIdentity } from "../../testing/make-certificate";
import { certificateEnd } from "./certificate-end";

it("reads the end of a certificate in both forms of a time, and nothing from other bytes", () => {
  for (const end of ["2031-02-03T04:05:06Z", "2051-02-03T04:05:06Z"]) {
    const { certificate } = makeSigningIdentity({
      notBefore: new Date("2026-01-01T00:00:00Z"),
      notAfter: new Date(end),
    });
    expect(certificateEnd(certificate)).toEqual(new Date(end));
  }
  expect(certificateEnd(new Uint8Array([0x30, 0x00]))).toBeNull();
});
