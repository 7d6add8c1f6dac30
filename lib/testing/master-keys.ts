import { randomBytes } from "node:crypto";
import { newTotpSecret } from "@/lib/auth/totp";
import { db } from "@/lib/db/client";
import { type MasterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { seal } from "@/lib/kernel/crypto/sealed";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser } from "./console";

/** Generates a master key in base64. */
export const newMasterKey = (): string => randomBytes(32).toString("base64");

export const SECRET = "a secret of the test";

/** Inserts values into every sealed column, with many rows in one table. @returns the number of values */
export async function fillSealedColumns(key: string, { signingKeys }: { signingKeys: number }): Promise<number> {
  const keys: MasterKeys = parseMasterKeys(key);
  const sealed = (table: string, id: string, column: string) => seal(SECRET, { table, id, column }, keys);
  const { userId } = await aUser();
  await db.twoFactor.create({
    data: { userId, secret: seal(newTotpSecret(), { table: "TwoFactor", id: userId, column: "secret" }, keys) },
  });
  await db.authProvider.create({
    data: { provider: "github", enabled: false, config: {}, secret: sealed("AuthProvider", "github", "secret") },
  });
  await db.serverKey.createMany({
    data: Array.from({ length: signingKeys }, (_, index) => {
      const kid = `test-${String(index).padStart(8, "0")}`;
      return {
        kid,
        use: "sig",
        publicJwk: {},
        privateJwk: sealed("ServerKey", kid, "privateJwk"),
        retiredAt: new Date(),
      };
    }),
  });
  const { appId, environmentIds } = await anApp();
  const environmentId = environmentIds[0] as string;
  const [variable, certificate, secret, withoutPassword] = [newId(), newId(), newId(), newId()];
  const entry = { environmentId, name: "Test", key: "TEST", version: 1, updatedAt: new Date() };
  await db.secureVariable.create({
    data: { ...entry, id: variable, value: sealed("SecureVariable", variable, "value") },
  });
  await db.secureCertificate.create({
    data: {
      ...entry,
      id: certificate,
      fileName: "a.p12",
      format: "p12",
      sha256: "0".repeat(64),
      value: sealed("SecureCertificate", certificate, "value"),
      password: sealed("SecureCertificate", certificate, "password"),
    },
  });
  await db.appSigningKey.create({
    data: {
      appId,
      keystore: sealed("AppSigningKey", appId, "keystore"),
      password: sealed("AppSigningKey", appId, "password"),
      createdAt: new Date(),
    },
  });
  await db.environmentSigningKey.create({
    data: {
      environmentId,
      certificateId: certificate,
      alias: "test",
      keyPassword: sealed("EnvironmentSigningKey", environmentId, "keyPassword"),
      updatedAt: new Date(),
    },
  });
  const history = { environmentId, kind: "secure-certificate", key: "TEST" };
  await db.configurationSecret.createMany({
    data: [
      {
        ...history,
        id: secret,
        value: sealed("ConfigurationSecret", secret, "value"),
        password: sealed("ConfigurationSecret", secret, "password"),
      },
      { ...history, id: withoutPassword, value: sealed("ConfigurationSecret", withoutPassword, "value") },
    ],
  });
  const link = newId();
  await db.shareLink.create({
    data: {
      id: link,
      environmentId,
      followsLatest: true,
      name: "Test",
      codeHash: randomBytes(32),
      code: sealed("ShareLink", link, "code"),
      onlyPhones: false,
      showNotes: true,
    },
  });
  const tester = newId();
  await db.tester.create({
    data: {
      id: tester,
      email: `${tester}@example.test`,
      locale: "en",
      secret: sealed("Tester", tester, "secret"),
      secretHash: randomBytes(32),
    },
  });
  const subscription = newId();
  await db.pushSubscription.create({
    data: {
      id: subscription,
      testerId: tester,
      endpointHash: randomBytes(32),
      host: "push.example",
      secret: sealed("PushSubscription", subscription, "secret"),
      createdAt: new Date(),
    },
  });
  const webhook = newId();
  await db.webhook.create({
    data: {
      id: webhook,
      name: "Test",
      url: "https://receiver.example/",
      events: [],
      allApps: true,
      appIds: [],
      format: "standard",
      locale: "en",
      secret: sealed("Webhook", webhook, "secret"),
      previousSecret: sealed("Webhook", webhook, "previousSecret"),
    },
  });
  const device = newId();
  await db.device.create({
    data: {
      id: device,
      name: "Test",
      os: "ios",
      udid: sealed("Device", device, "udid"),
      udidHash: randomBytes(32),
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  });
  return signingKeys + 17;
}
