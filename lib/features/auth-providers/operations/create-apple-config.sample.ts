import { anAppleKey } from "@/lib/testing/apple-key";
import { noProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { createAppleConfig } from "./create-apple-config";

export const sample = simpleSample(createAppleConfig, async () => {
  await noProviderConfig("apple");
  return { clientId: "com.acme.sign-in", teamId: "TEAM123456", keyId: "KEY1234567", privateKey: anAppleKey() };
});
