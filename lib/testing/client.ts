import type { Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { withConfigurationChange } from "@/lib/features/configuration/data/changes";
import type { CertificateDetails, EntryState } from "@/lib/features/configuration/data/entries";
import type { EntryKind } from "@/lib/features/configuration/schema";
import { newId } from "@/lib/kernel/ids";
import { SCOPES } from "@/lib/permissions/scopes";
import { aToken, type Caller, send } from "./console";
import type { Sample } from "./sample";
import type { World } from "./world";

/** The end of all tokens of servers, so that they get equal answers. */
const SERVER_TOKEN_END = new Date(Date.now() + 24 * 3_600_000);

/** A server's token of the world's environment with every scope. */
export function aServer({ app, environmentId }: Pick<World, "app" | "environmentId">): ReturnType<typeof aToken> {
  return aToken({ appId: app.appId, environmentId, scopes: [...SCOPES], validUntil: SERVER_TOKEN_END });
}

/** An entry of a configuration as tests write it. */
export interface TestEntry {
  kind: EntryKind;
  key: string;
  value: string;
  password?: string;
  status?: "active" | "inactive";
}

const DETAILS: CertificateDetails = {
  fileName: "server.pem",
  format: "pem",
  sha256: "0".repeat(64),
  expirationDate: "2030-01-02T03:04:05.000Z",
  subject: null,
  issuer: null,
  serialNumber: null,
  keyAlgorithm: null,
  hasPrivateKey: null,
  chainLength: null,
};

function stateOf({ kind, key, value, password, status = "active" }: TestEntry): EntryState {
  const facts = { key, name: `Name of ${key}`, status };
  if (kind === "dev-variable") return { ...facts, value };
  const details = kind === "secure-certificate" ? DETAILS : undefined;
  return { ...facts, secret: { value, password }, details };
}

/**
 * Adds entries to an environment's configuration, as one version.
 * @returns the number of the version
 */
export async function configure(environmentId: string, entries: readonly TestEntry[]): Promise<number> {
  const actor = { kind: "anonymous", expired: false } as const;
  const changes = entries.map((entry) => ({ kind: entry.kind, id: newId(), before: null, after: stateOf(entry) }));
  const { version } = await db.$transaction((tx) =>
    withConfigurationChange(tx, { environmentId, actor, now: new Date() }, async () => changes),
  );
  return version;
}

/**
 * A sample of an operation for apps and servers: a server that has not called before sends it.
 * @param kinds the kinds of which the environment gets one more entry
 */
export function clientSample(
  operation: Operation,
  input: Record<string, unknown> = {},
  kinds: readonly EntryKind[] = [],
): Sample {
  return {
    operation,
    input: () => input,
    arrange: async (world, owner?: Caller) => {
      const key = `KEY_${newId().replaceAll("-", "")}`;
      if (kinds.length > 0) {
        await configure(
          world.environmentId,
          kinds.map((kind) => ({ kind, key, value: "a value" })),
        );
      }
      const caller = owner ?? (await aServer(world));
      return (sender = caller) => send(operation, sender, input);
    },
  };
}
