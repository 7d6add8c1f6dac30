import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { expect, it } from "vitest";
import { firstByteFinding } from "./contents";
import { defaultRoots, keyHash } from "./trust";

const { apple } = defaultRoots(null);

/** The authorities of Mozilla with a name. */
const named = (name: string) =>
  rootCertificates.map((pem) => new X509Certificate(pem)).filter(({ subject }) => subject.includes(name));

it("Apple’s list has authorities that browsers trust", () => {
  const roots = named("ISRG Root");
  expect(roots.length).toBeGreaterThan(0);
  for (const root of roots) expect(apple.keys).toContain(keyHash(root));
});

it("Apple’s list lacks authorities that browsers trust", () => {
  const missing = rootCertificates.filter((pem) => !apple.keys.has(keyHash(new X509Certificate(pem))));
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.length).toBeLessThan(rootCertificates.length / 2);
});

it("the authority of the local network is among those that verify", () => {
  const own = rootCertificates[0] as string;
  expect(defaultRoots(own).certificates).toHaveLength(rootCertificates.length + 1);
});

it("a manifest that takes longer than three seconds is a warning", () => {
  const answer = { url: new URL("https://x"), status: 200, headers: {}, body: Buffer.from("<"), firstByteMs: 3_001 };
  expect(firstByteFinding(answer)).toMatchObject({ result: "warning", problem: "slow" });
  expect(firstByteFinding({ ...answer, firstByteMs: 3_000 }).result).toBe("ok");
});
