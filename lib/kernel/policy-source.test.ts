import { expect, it } from "vitest";
import { policySource } from "./policy-source";

it.each([
  ["https://mac.local:3000", "https://mac.local:3000"],
  ["https://192.168.1.20:3000/path", "https://192.168.1.20:3000"],
  ["https://[fd00::2]:3000", "https:"],
])("a policy allows %s as %s", (url, source) => expect(policySource(url)).toBe(source));
