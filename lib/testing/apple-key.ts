import { generateKeyPairSync } from "node:crypto";

/** A private key as Apple gives it out: PKCS#8 in PEM, P-256. */
export function anAppleKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}
