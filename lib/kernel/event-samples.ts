import { AUDIT_PREFIX, type EventData, type EventType } from "./events";

const ID = "019a0000-0000-7000-8000-0000000000";

const by = { userId: `${ID}01`, tokenId: null };

const ofRelease = {
  app: { id: `${ID}02`, name: "Shop" },
  environment: { id: `${ID}03`, name: "Staging" },
  release: {
    id: `${ID}04`,
    version: "2.4.0",
    buildNumber: "240",
    identifier: "com.example.shop",
    displayName: "Shop",
    platform: "ios" as const,
  },
};

const build = ({ id: _, ...facts }: typeof ofRelease.release) => facts;

/** Data of each type of event, for previews and tests of webhooks. @param origin the console's address */
function samples(origin: string): { [T in EventType]: EventData<T> } {
  const url = `${origin}/releases?id=${ofRelease.release.id}`;
  const place = { app: ofRelease.app, environment: ofRelease.environment };
  return {
    "release.published": { ...ofRelease, description: "Faster checkout.", mandatory: false, size: 48_234_496, by, url },
    "release.deleted": { ...ofRelease, by },
    "release.distributed": { ...ofRelease, groups: [{ id: `${ID}05`, name: "Beta" }], recipients: 12, by, url },
    "release.download-started": { ...ofRelease, userId: by.userId, url },
    "release.installed": { ...ofRelease, userId: by.userId, url },
    "rule.violated": {
      ...place,
      build: build(ofRelease.release),
      releaseId: null,
      outcome: "refused",
      rules: [{ rule: "notesRequired", params: { count: 12, limit: 50 } }],
      by,
      url: `${origin}/releases`,
    },
    "device.enrolled": {
      device: {
        ...{ id: `${ID}06`, name: "Ada’s iPhone", os: "ios", osVersion: "18.5", model: "iPhone15,2" },
        ...{ modelName: "iPhone 14 Pro", hasUdid: true, attested: true },
      },
      user: { id: by.userId, email: "tester@example.com" },
      url: `${origin}/admin-devices`,
    },
    "feedback.created": {
      ...ofRelease,
      feedback: { id: `${ID}07`, text: "The cart is empty after a restart.", rating: 3, hasScreenshot: true },
      userId: by.userId,
      url,
    },
    "certificate.expiring": {
      ...place,
      certificate: { id: `${ID}08`, name: "Push" },
      expirationDate: "2027-01-31T12:00:00.000Z",
      days: 7,
      url: `${origin}/secure-certificates`,
    },
    "token.expiring": {
      ...place,
      token: { id: `${ID}09`, name: "CI" },
      validUntil: "2027-01-31T12:00:00.000Z",
      days: 7,
      url: `${origin}/environment-app`,
    },
    "user.invited": {
      user: { id: `${ID}10`, email: "tester@example.com" },
      role: { id: `${ID}11`, name: "Testers" },
      by,
      url: `${origin}/admin-users`,
    },
  };
}

/** Data of a type of event as an example. @param type also `audit.<action>` */
export function sampleEventData(type: string, origin: string): object {
  if (!type.startsWith(AUDIT_PREFIX)) return samples(origin)[type as EventType];
  return {
    id: "1024",
    table: "Release",
    recordId: ofRelease.release.id,
    action: type.slice(AUDIT_PREFIX.length),
    eventDate: "2026-11-24T09:30:00.000Z",
    userId: by.userId,
    tokenId: null,
    ip: "192.0.2.7",
    requestId: `${ID}12`,
  };
}
