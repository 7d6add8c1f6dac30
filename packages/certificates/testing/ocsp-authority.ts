import { execFileSync, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A certificate of the authority: its serial number says what the responder knows of it. */
const LEAVES = { good: "1001", revoked: "1002", unknown: "1003" } as const;
export type LeafName = keyof typeof LEAVES;

/** Who signs a response: the authority, one to whom it delegated this, one without the key usage for it, or another authority. */
export type Responder = "issuer" | "delegate" | "undelegated" | "stranger" | "stranger-delegate";

/** A root, its authority and the certificates of that, with OpenSSL as the responder of the authority. */
export interface OcspAuthority {
  /** DER. */
  root: Buffer;
  issuer: Buffer;
  leaf(name: LeafName): Buffer;
  /** A CMS message by which a leaf signed something, with the certificates of its authorities, DER. */
  sign(name: LeafName): Buffer;
  /** Answers a request as the responder does. */
  respond(request: Uint8Array, options?: { responder?: Responder; args?: readonly string[] }): Buffer;
  /** Starts the responder. @returns its port, and how it is stopped */
  serve(): Promise<{ port: number; stop(): Promise<void> }>;
  remove(): void;
}

const SIGNING = "extendedKeyUsage=OCSPSigning";
const AUTHORITY = "basicConstraints=critical,CA:TRUE";

/** @param responderUrl the address of the responder that the certificates name */
export function makeOcspAuthority(responderUrl: string): OcspAuthority {
  const folder = mkdtempSync(join(tmpdir(), "slipway-ocsp-"));
  const run = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const read = (name: string) => new X509Certificate(readFileSync(join(folder, `${name}.pem`))).raw;

  function issue(name: string, issuer: string | null, extensions: string, serial = "1") {
    writeFileSync(join(folder, `${name}.ext`), extensions);
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${name}.key`];
    run("req", "-new", ...key, "-subj", `/O=Slipway/CN=${name}`, "-out", `${name}.csr`);
    const signer = issuer ? ["-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`] : ["-signkey", `${name}.key`];
    const validity = ["-days", "30", "-set_serial", `0x${serial}`];
    run("x509", "-req", "-in", `${name}.csr`, ...signer, ...validity, "-extfile", `${name}.ext`, "-out", `${name}.pem`);
  }

  issue("root", null, AUTHORITY);
  issue("issuer", "root", AUTHORITY, "2");
  issue("stranger", null, AUTHORITY);
  issue("delegate", "issuer", SIGNING, "2001");
  issue("undelegated", "issuer", "extendedKeyUsage=codeSigning", "2002");
  issue("stranger-delegate", "stranger", SIGNING, "2003");
  for (const [name, serial] of Object.entries(LEAVES)) {
    issue(name, "issuer", `authorityInfoAccess=OCSP;URI:${responderUrl}`, serial);
  }
  const index = [
    ["V", "491231235959Z", "", LEAVES.good, "unknown", "/CN=good"],
    ["R", "491231235959Z", "260102030405Z,keyCompromise", LEAVES.revoked, "unknown", "/CN=revoked"],
  ];
  writeFileSync(join(folder, "index.txt"), index.map((line) => `${line.join("\t")}\n`).join(""));
  const chain = ["issuer.pem", "root.pem"].map((name) => readFileSync(join(folder, name), "utf8"));
  writeFileSync(join(folder, "chain.pem"), chain.join(""));
  const answering = (responder: Responder) =>
    [
      "ocsp",
      "-index",
      "index.txt",
      "-CA",
      "issuer.pem",
      "-rsigner",
      `${responder}.pem`,
      "-rkey",
      `${responder}.key`,
    ] as const;

  return {
    root: read("root"),
    issuer: read("issuer"),
    leaf: read,
    sign(name) {
      const signer = ["-signer", `${name}.pem`, "-inkey", `${name}.key`, "-certfile", "chain.pem"];
      run("cms", "-sign", "-binary", "-outform", "DER", ...signer, "-in", "index.txt", "-out", "signed.der");
      return readFileSync(join(folder, "signed.der"));
    },
    respond(request, { responder = "delegate", args = ["-ndays", "1"] } = {}) {
      writeFileSync(join(folder, "request.der"), request);
      run(...answering(responder), "-reqin", "request.der", "-respout", "response.der", ...args);
      return readFileSync(join(folder, "response.der"));
    },
    async serve() {
      const args = [...answering("delegate"), "-port", "0", "-ndays", "1"];
      const server = spawn("openssl", args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
      for await (const line of createInterface(server.stdout)) {
        const port = Number(/ACCEPT .*:(\d+)/.exec(line)?.[1]);
        if (!port) continue;
        const stop = async () => {
          server.kill();
          await once(server, "exit");
        };
        return { port, stop };
      }
      throw new Error("the responder ended");
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
