import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { SsoProvider } from "@/lib/auth/providers";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anAppStoreKeyFile } from "@/lib/testing/app-store-connect";
import { aProviderConfig } from "@/lib/testing/auth-providers";
import { aCertificate, sendCertificate } from "@/lib/testing/certificates";
import { anApp, aRole, aUser, auditCount, send } from "@/lib/testing/console";
import { aDevice } from "@/lib/testing/devices";
import { someFeedback } from "@/lib/testing/feedback";
import { aPermission } from "@/lib/testing/permissions";
import { aRelease } from "@/lib/testing/releases";
import { aShareLink } from "@/lib/testing/share-links";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { aVariable } from "@/lib/testing/variables";
import { aWebhook } from "@/lib/testing/webhooks";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";

setUpTestDatabase();

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

type Path = keyof typeof operations;

type Edited = {
  operation: Path;
  /** Makes a row and returns what names it, and when it was changed last, as the API tells it. */
  make(): Promise<{ input: object; updatedAt: string | null }>;
  /** The changes of two people. */
  changes: readonly [object, object];
};

/** Reads when something was changed last. @param input what names it, for reading and for changing it */
async function read(operation: Path, input: Record<string, unknown>) {
  const { status, body } = await send(operations[operation], world.verifiedAdmin, input);
  expect(status).toBe(200);
  return { input, updatedAt: body.updatedAt };
}

/** Like `read`, from a list. */
async function readListed(operation: Path, id: string, filter: Record<string, unknown> = {}) {
  const { body } = await send(operations[operation], world.verifiedAdmin, { ...filter, limit: 100 });
  const { updatedAt } = body.items.find((item: { id: string }) => item.id === id);
  return { input: { id }, updatedAt };
}

const NAMES = [{ name: "Mine" }, { name: "Theirs" }] as const;

const PROVIDERS: readonly SsoProvider[] = ["apple", "azure", "github", "gitlab", "google"];

const EDITED: readonly Edited[] = [
  {
    operation: "apps/update-development-variable",
    make: async () => {
      const { environmentId } = world;
      await aVariable("dev-variable", world.verifiedAdmin, { environmentId, key: "MAX_PHOTO_MB", value: "10" });
      const { id } = await db.devVariable.findFirstOrThrow({ where: { environmentId, key: "MAX_PHOTO_MB" } });
      return read("apps/get-development-variable", { id });
    },
    changes: [{ value: "13" }, { value: "14" }],
  },
  {
    operation: "apps/update-secure-variable",
    make: async () => {
      const { environmentId } = world;
      await aVariable("secure-variable", world.verifiedAdmin, { environmentId, key: "SECRET", value: "first" });
      const { id } = await db.secureVariable.findFirstOrThrow({ where: { environmentId, key: "SECRET" } });
      return read("apps/get-secure-variable", { id });
    },
    changes: [{ value: "mine" }, { value: "theirs" }],
  },
  {
    operation: "apps/update-secure-certificate",
    make: async () => {
      const { environmentId } = world;
      await aCertificate(world.verifiedAdmin, { environmentId });
      const { id } = await db.secureCertificate.findFirstOrThrow({ where: { environmentId } });
      return read("apps/get-secure-certificate", { id });
    },
    changes: NAMES,
  },
  {
    operation: "apps/update-environment-app",
    make: () => read("apps/get-environment-app", { id: world.environmentId }),
    changes: NAMES,
  },
  {
    operation: "apps/update-environment-rules",
    make: () => read("apps/get-environment-rules", { environmentId: world.environmentId }),
    changes: [{ debuggable: { mode: "warn" } }, { debuggable: { mode: "refuse" } }],
  },
  {
    operation: "retention/update-retention",
    make: () => read("retention/get-retention", { environmentId: world.environmentId }),
    changes: [{ keepNewest: 50 }, { keepNewest: 60 }],
  },
  {
    operation: "apps/update-signing-key",
    make: async () => {
      const { environmentId } = world;
      const { body } = await sendCertificate(world.verifiedAdmin, "keytool.p12", { environmentId, password: "secret" });
      const { input, updatedAt } = await read("apps/get-signing-key", { environmentId });
      return { input: { ...input, certificateId: body.id }, updatedAt };
    },
    changes: [{ alias: "1" }, {}],
  },
  {
    operation: "devices/update-app-store-key",
    make: async () => {
      const { environmentId } = world;
      const certificateId = await anAppStoreKeyFile(world.verifiedAdmin, environmentId);
      const { input, updatedAt } = await read("devices/get-app-store-key", { environmentId });
      return { input: { ...input, certificateId, issuerId: "57246542-96fe-1a63-e053-0824d011072a" }, updatedAt };
    },
    changes: [{ keyId: "2X9R4HXF34" }, { keyId: "3X9R4HXF34" }],
  },
  {
    operation: "apps/update-app",
    make: async () => read("apps/get-app", { id: (await anApp()).appId }),
    changes: NAMES,
  },
  {
    operation: "apps/update-testing-deploy",
    make: async () => {
      const { identifier } = await db.app.findUniqueOrThrow({ where: { id: world.app.appId } });
      await aRelease(world.admin, { identifier, environmentId: world.environmentId });
      const { id } = await db.release.findFirstOrThrow({ where: { environmentId: world.environmentId } });
      return read("apps/get-testing-deploy-by-id", { id });
    },
    changes: [{ description: "Mine" }, { description: "Theirs" }],
  },
  {
    operation: "share-links/update-share-link",
    make: async () => {
      const { environmentId } = world;
      const { id } = await aShareLink(world.verifiedAdmin, { environmentId });
      return readListed("share-links/get-share-links", id, { environmentId });
    },
    changes: NAMES,
  },
  {
    operation: "feedback/update-feedback",
    make: async () => {
      const { id, releaseId } = await someFeedback({ ...world, admin: world.verifiedAdmin });
      return readListed("feedback/get-feedback", id, { releaseId });
    },
    changes: [{ note: "Mine" }, { note: "Theirs" }],
  },
  {
    operation: "testers/update-tester-group",
    make: async () => {
      const { id } = await aTesterGroup(world.verifiedAdmin, { appId: world.app.appId });
      return read("testers/get-tester-group", { id });
    },
    changes: NAMES,
  },
  {
    operation: "auth/update-user",
    make: async () => read("auth/get-user", { id: (await aUser()).userId }),
    changes: [{ team: "Mine" }, { team: "Theirs" }],
  },
  {
    operation: "config/update-role",
    make: async () => read("config/get-role", { id: await aRole() }),
    changes: NAMES,
  },
  {
    operation: "permissions/update-role-permission",
    make: async () => {
      const id = await aPermission(world.verifiedAdmin);
      const { roleId } = await db.rolePermission.findUniqueOrThrow({ where: { id } });
      return readListed("permissions/get-role-permissions-by-role-id", id, { roleId });
    },
    changes: [{ scopes: ["release:create"] }, { scopes: ["release:update"] }],
  },
  {
    operation: "config/update-platform",
    make: async () => {
      const { id } = await db.platform.create({ data: { id: newId(), name: "Watches", kind: "other" } });
      return read("config/get-platform-by-id", { id });
    },
    changes: NAMES,
  },
  {
    operation: "config/update-app-config",
    make: () => read("config/get-app-config", {}),
    changes: [
      { name: "Mine", description: "" },
      { name: "Theirs", description: "" },
    ],
  },
  ...PROVIDERS.map(
    (provider): Edited => ({
      operation: `config/update-${provider as "apple"}-config`,
      make: async () => {
        await aProviderConfig(provider);
        return read(`config/get-${provider as "apple"}-config`, {});
      },
      changes: [{ clientId: "mine" }, { clientId: "theirs" }],
    }),
  ),
  {
    operation: "webhooks/update-webhook",
    make: async () => readListed("webhooks/get-webhooks", await aWebhook(["user.invited"])),
    changes: NAMES,
  },
  {
    operation: "devices/update-device",
    make: async () => readListed("devices/get-devices", (await aDevice()).id),
    changes: NAMES,
  },
];

/** The other operations that change what is there, with the reason why they need no `ifUpdatedAt`. */
const OTHERS: Partial<Record<Path, string>> = {
  "apps/answer-bisect": "names the build that it is about, and is refused if that was answered",
  "apps/reorder-environments": "expects the order that the caller knows",
  "auth/change-password": "changes one’s own password",
  "auth/update-password": "sets one’s own password",
  "auth/update-user-profile": "changes one’s own profile",
  "config/update-auth-provider": "turns one switch, and expects its state",
  "external-services/update-license": "replaces the license by a token, whatever it was",
  "permissions/update-role-access": "expects the access of each place, because others may change other places",
  "retention/restore-release": "moves a release back, without values of the caller",
  "testers/update-notification-settings": "changes one’s own settings",
  "webhooks/rotate-webhook-secret": "makes a new secret, without values of the caller",
};

describe.each(EDITED)("$operation", ({ operation, make, changes: [mine, theirs] }) => {
  it("keeps one of two changes that are saved at the same moment, and tells the other person of it", async () => {
    const { input, updatedAt: ifUpdatedAt } = await make();
    const save = (change: object, at = ifUpdatedAt) =>
      send(operations[operation], world.verifiedAdmin, { ...input, ifUpdatedAt: at, ...change });
    const before = await auditCount();
    const answers = await Promise.all([save(mine), save(theirs)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [saved, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(refused?.body).toMatchObject({
      code: "conflict",
      detail: "This was changed after you opened the page. Reload it to see the current state.",
    });
    expect(await auditCount()).toBe(before + 1);
    // With what is stored now, the other person's change can be saved.
    const lost = saved === answers[0] ? theirs : mine;
    expect((await save(lost, saved?.body.updatedAt)).status).toBe(200);
    expect((await save(lost)).status).toBe(409);
  });
});

describe("the list of what people edit", () => {
  const fieldsOf = (schema: z.ZodType, io: "input" | "output") =>
    Object.keys(z.toJSONSchema(schema, { io, unrepresentable: "any" }).properties ?? {});
  const paths = Object.keys(operations) as Path[];
  const listed = EDITED.map(({ operation }) => operation);

  it("has each operation that takes ifUpdatedAt", () => {
    const taking = paths.filter((path) => fieldsOf(operations[path].input, "input").includes("ifUpdatedAt"));
    expect(taking.sort()).toEqual(listed.toSorted());
  });

  it("has each operation that changes what is there, or there is a reason why not", () => {
    const changing = paths.filter((path) => {
      const operation = operations[path];
      if (/\/(update|change|set|rename|replace|move|reorder)-/.test(path)) return true;
      const isChange = operation.kind === "command" && operation.status === 200;
      return isChange && fieldsOf(operation.output, "output").includes("updatedAt");
    });
    expect(changing.sort()).toEqual([...listed, ...Object.keys(OTHERS)].sort());
  });
});
