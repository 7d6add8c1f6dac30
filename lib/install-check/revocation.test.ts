import { createHash, X509Certificate } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { makeOcspRequest } from "@slipway/certificates/cms";
import { type LeafName, makeOcspAuthority, type OcspAuthority } from "@slipway/certificates/testing";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { openShareLink } from "@/lib/features/share-links/operations/open-share-link";
import { getInstallVerdict } from "@/lib/features/verdicts/operations/get-install-verdict";
import { makeOutbound } from "@/lib/http/outbound";
import { readMissingFacts } from "@/lib/storage/installer-facts";
import { ANONYMOUS, anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { aRelease } from "@/lib/testing/releases";
import { aShareLink } from "@/lib/testing/share-links";
import { findPrograms } from "@/scripts/lib/programs";
import { setUpTestDatabase } from "@/scripts/test-database";
import { findCheckable } from "./data";
import { appleRevocations, askRevocation, type Revocations, renewDueRevocations } from "./revocation";
import { checkInstallation } from "./run";
import { isAppleRoot } from "./trust";

process.env.APP_URL = "https://slipway.example.com";
process.env.APPLE_REVOCATION_CHECK = "on";
setUpTestDatabase();

const HOUR_MS = 3_600_000;

describeWith(findPrograms("openssl"), "with OpenSSL as Apple’s responder", () => {
  let responder: Server;
  let answer: RequestListener;
  let authority: OcspAuthority;
  let realPort: number;
  let stopReal: () => Promise<void>;
  let admin: TestUser;
  let asked = 0;
  /** A release that each certificate signed. */
  const ids: Record<LeafName, string> = { revoked: "", good: "", unknown: "" };

  const passOn: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = `http://127.0.0.1:${realPort}${request.url}`;
    const headers = { "content-type": String(request.headers["content-type"]) };
    const real = await fetch(url, { method: request.method ?? "GET", headers, body: Buffer.concat(chunks) });
    response.writeHead(real.status, { "content-type": "application/ocsp-response" });
    response.end(Buffer.from(await real.arrayBuffer()));
  };

  beforeAll(async () => {
    responder = createServer((request, response) => {
      asked += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => responder.listen(0, "127.0.0.1", resolve));
    authority = makeOcspAuthority(`http://127.0.0.1:${(responder.address() as AddressInfo).port}/ocsp03`);
    ({ port: realPort, stop: stopReal } = await authority.serve());
    admin = await aUser({ admin: true });
    const app = await anApp();
    const place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
    for (const name of ["revoked", "good", "unknown"] as const) {
      const executable = { claims: {}, cms: authority.sign(name) };
      ids[name] = (await aRelease(admin, place, { build: String(Object.keys(ids).indexOf(name) + 1), executable })).id;
    }
    await readMissingFacts(db, { now: () => new Date() });
  });
  afterAll(async () => {
    responder.closeAllConnections();
    responder.close();
    await stopReal();
    authority.remove();
  });
  beforeEach(async () => {
    answer = passOn;
    asked = 0;
    const unasked = {
      status: null,
      revokedAt: null,
      answeredAt: null,
      validUntil: null,
      failure: null,
      askAt: new Date(),
    };
    await db.signingCertificate.updateMany({ data: unasked });
  });

  const from = (more: Partial<Revocations> = {}): Revocations => ({
    isRoot: (certificate) => certificate.raw.equals(authority.root),
    host: "127.0.0.1",
    outbound: makeOutbound(["127.0.0.1"]),
    ...more,
  });
  const chainOf = (name: LeafName) => [authority.leaf(name), authority.issuer, authority.root];
  const ask = (name: LeafName, more: Partial<Revocations> = {}, now = new Date()) =>
    askRevocation(chainOf(name), from(more), { now });
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => "answered",
      (error) => `${error.failure} ${error.detail}`,
    );

  const renew = (now = new Date(), more: Partial<Revocations> = {}) =>
    renewDueRevocations(db, from(more), { now: () => now });
  const codesFor = async (id: string, caller: Parameters<typeof send>[1] = admin, more = {}) => {
    const { body } = await send(getInstallVerdict, caller, { id, os: "ios", osVersion: "18.1", ...more });
    return { verdict: body.verdict, codes: body.reasons.map(({ code }: { code: string }) => code) };
  };
  const certificateId = (name: LeafName) => createHash("sha256").update(authority.leaf(name)).digest("hex");
  const stored = (name: LeafName) => db.signingCertificate.findUniqueOrThrow({ where: { id: certificateId(name) } });
  const checkOf = async (id: string, revocations: Revocations | null) => {
    const release = await findCheckable(db, id);
    const findings = await checkInstallation(release ? [release] : [], { revocations });
    return findings.find(({ code }) => code === "certificate_revoked");
  };

  it("it is known of a certificate whether it is good, revoked or unknown", async () => {
    expect((await ask("good")).status).toBe("good");
    expect(await ask("revoked")).toMatchObject({ status: "revoked", revokedAt: new Date("2026-01-02T03:04:05Z") });
    expect((await ask("unknown")).status).toBe("unknown");
  });

  it("nobody is asked about a certificate that is not of a trusted authority, names another responder, or has ended", async () => {
    expect(await failureOf(ask("good", { isRoot: isAppleRoot }))).toBe("foreign not of Apple");
    expect(await failureOf(ask("good", { host: "ocsp.apple.com" }))).toBe("foreign no responder of Apple");
    const [leaf, issuer] = chainOf("good") as [Buffer, Buffer];
    for (const chain of [[], [leaf], [leaf, issuer], [leaf, authority.root], [Buffer.from("none")]]) {
      expect(await failureOf(askRevocation(chain, from(), { now: new Date() }))).toMatch(/^foreign/);
    }
    expect(await failureOf(ask("good", {}, new Date(Date.now() + 31 * 24 * HOUR_MS)))).toMatch(/^expired/);
    expect(asked).toBe(0);
  });

  it("no private address is asked by the settings of the console", async () => {
    expect(await failureOf(ask("good", { outbound: appleRevocations().outbound }))).toBe(
      "unanswered forbidden_address",
    );
    expect(asked).toBe(0);
  });

  it.each<[string, RequestListener, string]>([
    ["redirects", (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(), "redirected"],
    ["answers with 10 MB", (_, response) => response.end(Buffer.alloc(10_000_000)), "too_large"],
    ["answers with a page of 100 kB", (_, response) => response.end("x".repeat(100_000)), "too_large"],
    ["answers with a page", (_, response) => response.end("<html>"), "malformed"],
    ["answers with nothing", (_, response) => response.end(), "malformed"],
    ["fails", (_, response) => response.writeHead(503).end(), "HTTP 503"],
    ["refuses", (_, response) => response.end(Uint8Array.of(0x30, 3, 0x0a, 1, 3)), "refused"],
    ["cuts the connection", (request) => request.socket.destroy(), "unreachable"],
    ["answers with that of a stranger", (_, response) => response.end(wrong("stranger-delegate")), "signature"],
    [
      "answers with that of a certificate without the right",
      (_, response) => response.end(wrong("undelegated")),
      "signature",
    ],
  ])("nothing is claimed if the responder %s", async (_what, listener, detail) => {
    answer = listener;
    expect(await failureOf(ask("revoked"))).toBe(`unanswered ${detail}`);
  });

  /** What the responder says of the certificate, signed by somebody else. */
  function wrong(signer: "stranger-delegate" | "undelegated"): Buffer {
    return authority.respond(lastRequest("revoked"), { responder: signer });
  }
  function lastRequest(name: LeafName) {
    const [certificate, issuer] = [authority.leaf(name), authority.issuer].map((der) => new X509Certificate(der));
    return makeOcspRequest({ certificate, issuer } as Parameters<typeof makeOcspRequest>[0]);
  }

  it("nothing is claimed if the responder hangs, after ten seconds", async () => {
    const waiting = Promise.withResolvers<void>();
    answer = () => waiting.resolve();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const failure = failureOf(ask("revoked"));
      await waiting.promise;
      vi.advanceTimersByTime(10_000);
      expect(await failure).toBe("unanswered timeout");
    } finally {
      vi.useRealTimers();
    }
  });

  it("nothing is claimed of an answer that has ended", async () => {
    const ended = authority.respond(lastRequest("revoked"), { responder: "issuer" });
    answer = (_, response) => response.end(ended);
    expect((await ask("revoked")).status).toBe("revoked");
    expect(await failureOf(ask("revoked", {}, new Date(Date.now() + 25 * HOUR_MS)))).toBe("unanswered not_current");
  });

  it("a revoked certificate blocks for those who publish and for visitors, and a good or unknown one says nothing", async () => {
    for (const id of Object.values(ids)) expect((await codesFor(id)).codes).not.toContain("certificate_revoked");
    expect(await renew()).toEqual({ asked: 3, failed: 0 });
    expect((await codesFor(ids.revoked)).verdict).toBe("does_not_install");
    expect((await codesFor(ids.revoked)).codes).toContain("certificate_revoked");
    for (const id of [ids.good, ids.unknown]) expect((await codesFor(id)).codes).not.toContain("certificate_revoked");
    const { code: share } = await aShareLink(admin, { releaseId: ids.revoked });
    expect((await codesFor(ids.revoked, ANONYMOUS, { share })).codes).toContain("certificate_revoked");
    const opened = await send(openShareLink, ANONYMOUS, { code: share });
    expect(opened.body.install.reasons.map(({ code }: { code: string }) => code)).toContain("certificate_revoked");
  });

  it("a certificate is asked about twice a day, and an answer counts for a day", async () => {
    const start = Date.now();
    const after = (hours: number) => new Date(start + hours * HOUR_MS);
    expect(await renew()).toEqual({ asked: 3, failed: 0 });
    expect(await renew(after(11))).toEqual({ asked: 0, failed: 0 });
    expect((await stored("revoked")).validUntil?.getTime()).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS);
    expect(await renew(after(12.5))).toEqual({ asked: 3, failed: 0 });
    await db.signingCertificate.updateMany({ data: { validUntil: new Date(start - 1) } });
    expect((await codesFor(ids.revoked)).codes).not.toContain("certificate_revoked");
  });

  it("an answer stays until its end if the next question has none, and is asked for again after an hour", async () => {
    await renew();
    await db.signingCertificate.updateMany({ data: { askAt: new Date() } });
    answer = (_, response) => response.writeHead(503).end();
    expect(await renew()).toEqual({ asked: 3, failed: 3 });
    expect(await stored("revoked")).toMatchObject({ status: "revoked", failure: "HTTP 503" });
    expect((await codesFor(ids.revoked)).codes).toContain("certificate_revoked");
    expect(await renew(new Date(Date.now() + 0.9 * HOUR_MS))).toEqual({ asked: 0, failed: 0 });
    answer = passOn;
    expect(await renew(new Date(Date.now() + 1.1 * HOUR_MS))).toEqual({ asked: 3, failed: 0 });
    expect((await stored("revoked")).failure).toBeNull();
  });

  it("the install check says what is known, and asks if nothing is", async () => {
    expect(await checkOf(ids.revoked, null)).toMatchObject({ result: "skipped", problem: "revocation_off" });
    expect(asked).toBe(0);
    expect(await checkOf(ids.revoked, from())).toMatchObject({
      result: "failure",
      problem: "certificate_revoked",
      seen: "revoked 2026-01-02T03:04:05.000Z",
    });
    expect(await checkOf(ids.good, from())).toMatchObject({ result: "ok", seen: "good" });
    expect(asked).toBe(2);
    expect(await checkOf(ids.revoked, from())).toMatchObject({ result: "failure" });
    expect(asked).toBe(2);
    expect(await checkOf(ids.unknown, from())).toMatchObject({ result: "skipped", problem: "revocation_unknown" });
    await db.signingCertificate.updateMany({ data: { validUntil: new Date() } });
    answer = (_, response) => response.end("<html>");
    expect(await checkOf(ids.revoked, from())).toMatchObject({ problem: "revocation_unanswered", seen: "malformed" });
    expect(await checkOf(ids.revoked, from({ isRoot: isAppleRoot }))).toMatchObject({ problem: "signer_foreign" });
  });

  it("certificates of apps that are gone are not asked about, and removed after a day", async () => {
    const { fileId } = await db.release.findUniqueOrThrow({ where: { id: ids.unknown } });
    await db.installerFacts.update({ where: { fileId }, data: { signerId: null } });
    expect(await checkOf(ids.unknown, from())).toMatchObject({ result: "skipped", problem: "signer_unknown" });
    expect((await renew()).asked).toBe(2);
    await renew(new Date(Date.now() + 25 * HOUR_MS));
    expect(await db.signingCertificate.count()).toBe(2);
  });
});
