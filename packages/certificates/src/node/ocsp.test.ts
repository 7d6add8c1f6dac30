import { X509Certificate } from "node:crypto";
import { accessSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type LeafName, makeOcspAuthority, type Responder } from "../../testing/ocsp-authority";
import { DAY_MS } from "../time";
import { MAX_OCSP_BYTES, makeOcspRequest, OcspError, ocspResponderOf, readOcspResponse } from ".";

const URL_OF_RESPONDER = "http://ocsp.example.com/ocsp03";

const hasOpenssl = (process.env.PATH ?? "").split(delimiter).some((folder) => {
  try {
    accessSync(join(folder, "openssl"));
    return true;
  } catch {
    return false;
  }
});

if (!hasOpenssl) it("OCSP with OpenSSL", ({ skip }) => skip("not installed: openssl"));

const describeWithOpenssl = hasOpenssl ? describe : () => undefined;
describeWithOpenssl("the answer of OpenSSL as the responder of an authority", () => {
  const authority = makeOcspAuthority(URL_OF_RESPONDER);
  afterAll(() => authority.remove());

  const question = (name: LeafName) => ({
    certificate: new X509Certificate(authority.leaf(name)),
    issuer: new X509Certificate(authority.issuer),
  });
  const respond = (name: LeafName, options: { responder?: Responder; args?: readonly string[] } = {}) =>
    authority.respond(makeOcspRequest(question(name)), options);
  const read = (bytes: Uint8Array, name: LeafName, now = new Date()) => readOcspResponse(bytes, question(name), now);
  const reasonOf = (bytes: Uint8Array, name: LeafName, now?: Date) => {
    try {
      return read(bytes, name, now).status;
    } catch (error) {
      if (error instanceof OcspError) return error.reason;
      throw error;
    }
  };

  it.each(["issuer", "delegate"] as const)("tells what it knows of a certificate, signed by the %s", (responder) => {
    expect(read(respond("good", { responder }), "good")).toMatchObject({ status: "good", revokedAt: null });
    expect(read(respond("revoked", { responder }), "revoked")).toMatchObject({
      status: "revoked",
      revokedAt: new Date("2026-01-02T03:04:05Z"),
    });
    expect(read(respond("unknown", { responder }), "unknown")).toMatchObject({ status: "unknown", revokedAt: null });
  });

  it("counts also if it names its signer by the key", () => {
    expect(reasonOf(respond("good", { args: ["-ndays", "1", "-resp_key_id"] }), "good")).toBe("good");
  });

  it.each(["undelegated", "stranger", "stranger-delegate"] as const)("is not believed of the %s", (responder) => {
    expect(reasonOf(respond("good", { responder }), "good")).toBe("signature");
    expect(reasonOf(respond("revoked", { responder }), "revoked")).toBe("signature");
  });

  it("is not believed of a delegate whose certificate is missing, or with SHA-1", () => {
    expect(reasonOf(respond("good", { args: ["-ndays", "1", "-resp_no_certs"] }), "good")).toBe("signature");
    expect(reasonOf(respond("good", { args: ["-ndays", "1", "-rmd", "sha1"] }), "good")).toBe("signature");
  });

  it("counts until its end, and not before its beginning", () => {
    const answer = respond("revoked", { responder: "issuer" });
    const { validUntil } = read(answer, "revoked");
    expect(validUntil.getTime() - Date.now()).toBeGreaterThan(0.9 * DAY_MS);
    expect(reasonOf(answer, "revoked", new Date(validUntil.getTime() - 1))).toBe("revoked");
    expect(reasonOf(answer, "revoked", validUntil)).toBe("not_current");
    expect(reasonOf(answer, "revoked", new Date(Date.now() - 3_600_000))).toBe("not_current");
  });

  it("counts for a day if it has no end", () => {
    const answer = respond("good", { responder: "issuer", args: [] });
    expect(reasonOf(answer, "good", new Date(Date.now() + 0.9 * DAY_MS))).toBe("good");
    expect(reasonOf(answer, "good", new Date(Date.now() + 1.1 * DAY_MS))).toBe("not_current");
  });

  it("is not that of another certificate", () => {
    expect(reasonOf(respond("good"), "revoked")).toBe("other_certificate");
  });

  it("with a changed byte is refused, or says the same", () => {
    const answer = respond("revoked");
    for (let at = 0; at < answer.length; at += 3) {
      const changed = Uint8Array.from(answer);
      changed[at] = (changed[at] as number) ^ 0x01;
      expect(["malformed", "refused", "signature", "revoked"], String(at)).toContain(reasonOf(changed, "revoked"));
    }
  });

  it("is refused if it is cut, too long, or says that there is no answer", () => {
    const answer = respond("good");
    for (let length = 0; length < answer.length; length += 29) {
      expect(reasonOf(answer.subarray(0, length), "good"), String(length)).toBe("malformed");
    }
    expect(reasonOf(Buffer.concat([answer, Buffer.alloc(MAX_OCSP_BYTES)]), "good")).toBe("malformed");
    expect(reasonOf(Uint8Array.of(0x30, 3, 0x0a, 1, 6), "good")).toBe("refused");
    expect(reasonOf(Uint8Array.of(0x30, 3, 0x0a, 1, 9), "good")).toBe("malformed");
  });

  it("is found at the address that the certificate names", () => {
    expect(ocspResponderOf(question("good").certificate)?.href).toBe(URL_OF_RESPONDER);
    expect(ocspResponderOf(question("good").issuer)).toBeNull();
  });
});
