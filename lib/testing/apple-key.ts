import { generateKeyPairSync } from "node:crypto";

/** Generates a private key in the format of Apple's: P-256, PKCS#8, PEM. */
export function anAppleKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}
