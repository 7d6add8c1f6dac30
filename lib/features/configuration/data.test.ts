import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { newId } from "@/lib/kernel/ids";
import type { Actor } from "@/lib/permissions/actor";
import { anApp } from "@/lib/testing/console";
import { blocksRead } from "@/lib/testing/plans";
import { setUpTestDatabase } from "@/scripts/test-database";
import { readActiveEntries } from "./data/active-entries";
import { currentVersion, withConfigurationChange } from "./data/changes";
import { kindsChangedSince, planRestore, readDifferences } from "./data/differences";
import { type CertificateDetails, type EntryChange, type EntryState, tableOfKind } from "./data/entries";
import { openSecret } from "./data/secrets";
import { ENTRY_KINDS, type EntryKind } from "./schema";

setUpTestDatabase();

const actor: Actor = { kind: "anonymous", expired: false };

let environmentId: string;

async function anEnvironment(): Promise<string> {
  return (await anApp()).environmentIds[0] as string;
}

beforeAll(async () => {
  environmentId = await anEnvironment();
});

async function change(
  place: { environmentId: string; restoredFrom?: number },
  plan: (tx: Parameters<typeof withConfigurationChange>[0]) => Promise<readonly EntryChange[]>,
): Promise<number> {
  const { version } = await db.$transaction(
    (tx) => withConfigurationChange(tx, { ...place, actor, now: new Date() }, () => plan(tx)),
    { timeout: 60_000 },
  );
  return version;
}

/** An entry as the tests write and read it. */
interface Entry {
  name: string;
  status: "active" | "inactive";
  value: string;
}

const details = (entry: Entry): CertificateDetails => ({
  fileName: `${entry.name}.pem`,
  format: "pem",
  sha256: "0".repeat(64),
  expirationDate: null,
  subject: null,
  issuer: null,
  serialNumber: null,
  keyAlgorithm: null,
  hasPrivateKey: null,
  chainLength: null,
});

/** An entry as a change takes it; of its secret only what differs from the entry before. */
function stateOf(kind: EntryKind, key: string, entry: Entry, before?: Entry): EntryState {
  const { name, status, value } = entry;
  if (kind === "dev-variable") return { key, name, status, value };
  const password = kind === "secure-certificate" ? `password of ${value}` : null;
  const secret = before?.value === value ? ("unchanged" as const) : { value, password };
  return { key, name, status, secret, ...(kind === "secure-certificate" && { details: details(entry) }) };
}

interface CurrentRow extends Entry {
  id: string;
  kind: EntryKind;
  key: string;
}

/** What the tables of the entries have now, with secrets opened. */
async function currentEntries(environment: string): Promise<CurrentRow[]> {
  const rows: CurrentRow[] = [];
  for (const kind of ENTRY_KINDS) {
    const table = tableOfKind(kind);
    const password = kind === "secure-certificate" ? `"password"` : `NULL`;
    const found = await queryRows<
      Omit<CurrentRow, "value"> & { value: string | Uint8Array; password: Uint8Array | null }
    >(
      db,
      sql`SELECT "id", "key", "name", "status", "value", ${raw(password)} AS "password" FROM ${raw(`"${table}"`)}
          WHERE "environmentId" = ${environment}::uuid`,
    );
    for (const { id, key, name, status, value, password } of found) {
      if (typeof value === "string") rows.push({ id, kind, key, name, status, value });
      else {
        const opened = openSecret({ value, password }, { table, id });
        if (password) expect(opened.password).toBe(`password of ${opened.value}`);
        rows.push({ id, kind, key, name, status, value: opened.value.toString() });
      }
    }
  }
  return rows;
}

type Model = ReadonlyMap<string, Entry>;
const modelKey = (kind: EntryKind, key: string) => `${kind} ${key}`;

async function currentModel(environment: string): Promise<Model> {
  const rows = await currentEntries(environment);
  return new Map(rows.map(({ kind, key, name, status, value }) => [modelKey(kind, key), { name, status, value }]));
}

function naiveDiff(from: Model, to: Model): Record<string, "added" | "removed" | "changed"> {
  const keys = [...new Set([...from.keys(), ...to.keys()])];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const [before, after] = [from.get(key), to.get(key)];
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      return [[key, !before ? "added" : !after ? "removed" : "changed"] as const];
    }),
  );
}

async function realDiff(environment: string, from: number, to: number) {
  const range = { environmentId: environment, from, to, kinds: ENTRY_KINDS };
  const { differences } = await readDifferences(db, range);
  return Object.fromEntries(
    differences.map(({ kind, key, from: before, to: after }) => {
      return [modelKey(kind, key), !before ? "added" : !after ? "removed" : "changed"];
    }),
  );
}

const kind = fc.constantFrom(...ENTRY_KINDS);
const key = fc.constantFrom("A", "a", "B");
const entry = fc.record({
  name: fc.constantFrom("one", "two"),
  status: fc.constantFrom("active" as const, "inactive" as const),
  value: fc.constantFrom("x", "y", " é\n"),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ step: fc.constant("put" as const), kind, key, entry }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("delete" as const), kind, key }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("rename" as const), kind, key, to: key, entry }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("restore" as const), of: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Applies a step to the database and says what the model is afterwards. */
async function apply(environment: string, step: Step, models: readonly Model[]): Promise<Model> {
  const model = new Map(models.at(-1));
  if (step.step === "restore") {
    const version = 1 + (step.of % Math.max(1, models.length - 1));
    if (models.length === 1) return model;
    await change({ environmentId: environment, restoredFrom: version }, (tx) =>
      planRestore(tx, { environmentId: environment, version, kinds: ENTRY_KINDS }),
    );
    return models[version] as Model;
  }
  const row = (await currentEntries(environment)).find(({ kind, key }) => kind === step.kind && key === step.key);
  const before = row ? { key: row.key, name: row.name } : null;
  const id = row?.id ?? newId();
  if (step.step === "delete") {
    if (!row) return model;
    model.delete(modelKey(step.kind, step.key));
    await change({ environmentId: environment }, async () => [{ kind: step.kind, id, before, after: null }]);
    return model;
  }
  const to = step.step === "rename" ? step.to : step.key;
  if (step.step === "rename" && (!row || (to !== step.key && model.has(modelKey(step.kind, to))))) return model;
  const old = model.get(modelKey(step.kind, step.key));
  model.delete(modelKey(step.kind, step.key));
  model.set(modelKey(step.kind, to), step.entry);
  const after = stateOf(step.kind, to, step.entry, old);
  await change({ environmentId: environment }, async () => [{ kind: step.kind, id, before, after }]);
  return model;
}

describe("a history of 20,000 versions of three variables", () => {
  const VERSIONS = 20_000;
  /** The index of the history alone has some 200. */
  const MAX_BLOCKS = 100;
  let environment: string;

  beforeAll(async () => {
    environment = await anEnvironment();
    const run = (statement: string) => databasePool().query(statement, [environment, VERSIONS]);
    const trigger = `TRIGGER "ConfigurationVersion_number"`;
    await databasePool().query(`ALTER TABLE "ConfigurationVersion" DISABLE ${trigger}`);
    await run(`INSERT INTO "ConfigurationVersion" ("environmentId", "number", "at", "changeCount")
      SELECT $1, n, now(), 1 FROM generate_series(1, $2::int) n`);
    await databasePool().query(`ALTER TABLE "ConfigurationVersion" ENABLE ${trigger}`);
    // C is changed in version 3 only, then A and B by turns.
    await run(`INSERT INTO "ConfigurationChange" ("id", "environmentId", "version", "kind", "key", "action", "name", "status", "value")
      SELECT gen_random_uuid(), $1, n, 'dev-variable', CASE WHEN n = 3 THEN 'C' WHEN n % 2 = 0 THEN 'B' ELSE 'A' END,
        CASE WHEN n <= 3 THEN 'create' ELSE 'update' END::"ConfigurationAction", 'N', 'active', 'value ' || n
      FROM generate_series(1, $2::int) n`);
    await run(`UPDATE "Environment" SET "configurationVersion" = $2 WHERE "id" = $1`);
    await databasePool().query(`VACUUM (ANALYZE) "ConfigurationVersion", "ConfigurationChange", "Environment"`);
  });

  const range = (from: number, to: number) => ({ environmentId: environment, from, to, kinds: ENTRY_KINDS });

  it("is compared entry by entry, near and far", async () => {
    const valuesOf = async (from: number, to: number) =>
      (await readDifferences(db, range(from, to))).differences.map((one) => [one.key, one.from?.value, one.to?.value]);
    expect(await valuesOf(2, VERSIONS)).toEqual([
      ["A", "value 1", `value ${VERSIONS - 1}`],
      ["B", "value 2", `value ${VERSIONS}`],
      ["C", undefined, "value 3"],
    ]);
    expect(await valuesOf(16_000, 4_000)).toEqual([
      ["A", "value 15999", "value 3999"],
      ["B", "value 16000", "value 4000"],
    ]);
    for (const [from, to] of [
      [0, VERSIONS],
      [4_000, 16_000],
      [VERSIONS - 1, VERSIONS],
    ] as const) {
      expect(await blocksRead(() => readDifferences(db, range(from, to)))).toBeLessThan(MAX_BLOCKS);
    }
  });

  it("is read as of any version", async () => {
    const read = (version: number) =>
      readActiveEntries(db, environment, { kinds: ENTRY_KINDS, secrets: ENTRY_KINDS, version });
    const valuesAt = async (version: number) => (await read(version))?.entries.map(({ key, plain }) => [key, plain]);
    expect(await valuesAt(2)).toEqual([
      ["A", "value 1"],
      ["B", "value 2"],
    ]);
    expect(await valuesAt(10_001)).toEqual([
      ["A", "value 10001"],
      ["B", "value 10000"],
      ["C", "value 3"],
    ]);
    for (const version of [1, 10_000, VERSIONS]) expect(await blocksRead(() => read(version))).toBeLessThan(MAX_BLOCKS);
  });

  it("tells which kinds were changed, and whether one key was", async () => {
    const changed = (version: number, key?: string) =>
      kindsChangedSince(db, { environmentId: environment, kinds: ENTRY_KINDS, key, version });
    expect(await changed(1)).toEqual(["dev-variable"]);
    expect(await changed(VERSIONS)).toEqual([]);
    expect([await changed(2, "C"), await changed(3, "C")]).toEqual([["dev-variable"], []]);
    expect(await blocksRead(() => changed(3, "C"))).toBeLessThan(MAX_BLOCKS);
    expect(await blocksRead(() => changed(1))).toBeLessThan(MAX_BLOCKS);
  });
});

describe("a configuration", () => {
  it("has in every version what a model of whole copies has, compares them alike and restores each", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), fc.nat(), fc.nat(), async (steps, a, b) => {
        const environment = await anEnvironment();
        // models[n] is version n.
        const models: Model[] = [new Map()];
        for (const one of steps) {
          const model = await apply(environment, one, models);
          if ((await currentVersion(db, environment)) === models.length) models.push(model);
        }
        expect(await currentModel(environment)).toEqual(models.at(-1));
        const [from, to] = [a % models.length, b % models.length];
        const naive = naiveDiff(models[from] as Model, models[to] as Model);
        const real = await realDiff(environment, from, to);
        expect(real).toMatchObject(naive);
        // A secret that was written again with the value that it had is told as changed.
        const rewritten = Object.entries(real).filter(([entry]) => !(entry in naive));
        expect(rewritten.filter(([entry, change]) => entry.startsWith("dev-variable") || change !== "changed")).toEqual(
          [],
        );
        if (from > 0) {
          await change({ environmentId: environment, restoredFrom: from }, (tx) =>
            planRestore(tx, { environmentId: environment, version: from, kinds: ENTRY_KINDS }),
          );
          expect(await currentModel(environment)).toEqual(models[from]);
          expect(await realDiff(environment, from, await currentVersion(db, environment))).toEqual({});
        }
      }),
      { numRuns: 60 },
    );
  }, 300_000);

  it("is numbered 1 to n without gaps by 50 parallel changes, of which some fail", async () => {
    const environment = await anEnvironment();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        change({ environmentId: environment }, async () => {
          const after = { key: `KEY_${index}`, name: "N", status: "active" as const, value: "v" };
          // One that breaks a rule of the database after the number was given.
          const broken = index % 10 === 0 ? { ...after, key: "not a key" } : after;
          return [{ kind: "dev-variable", id: newId(), before: null, after: broken }];
        }),
      ),
    );
    const numbers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    // On a busy machine, the limit of time ends more of them than those that break a rule, which leave nothing either.
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from(numbers, (_, index) => index + 1));
    expect(await db.configurationVersion.count({ where: { environmentId: environment } })).toBe(numbers.length);
    const broken = outcomes.filter((_, index) => index % 10 === 0);
    expect(broken.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
    expect(numbers.length).toBeGreaterThan(10);
  }, 300_000);

  it("makes no version where nothing changes", async () => {
    expect(await change({ environmentId }, async () => [])).toBe(0);
    expect(await db.configurationVersion.count({ where: { environmentId } })).toBe(0);
  });

  it("keeps a secret once in the history, however many versions have it", async () => {
    const environment = await anEnvironment();
    const id = newId();
    const one: Entry = { name: "one", status: "active", value: "secret" };
    const kind = "secure-certificate";
    await change({ environmentId: environment }, async () => [
      { kind, id, before: null, after: stateOf(kind, "K", one) },
    ]);
    for (const name of ["two", "three", "four"]) {
      const after = stateOf(kind, "K", { ...one, name }, one);
      await change({ environmentId: environment }, async () => [{ kind, id, before: { key: "K", name }, after }]);
    }
    await change({ environmentId: environment }, (tx) =>
      planRestore(tx, { environmentId: environment, version: 1, kinds: ENTRY_KINDS }),
    );
    expect(await currentVersion(db, environment)).toBe(5);
    expect(await db.configurationSecret.count({ where: { environmentId: environment } })).toBe(1);
  });

  it("writes thousands of entries in one version", async () => {
    const environment = await anEnvironment();
    const version = await change({ environmentId: environment }, async () =>
      Array.from({ length: 3_000 }, (_, index) => ({
        kind: "secure-variable" as const,
        id: newId(),
        before: null,
        after: { key: `K${index}`, name: "N", status: "active" as const, secret: { value: "v".repeat(2_000) } },
      })),
    );
    expect(version).toBe(1);
    expect(await db.secureVariable.count({ where: { environmentId: environment, version: 1 } })).toBe(3_000);
    expect(await db.configurationChange.count({ where: { environmentId: environment } })).toBe(3_000);
  }, 60_000);

  it("refuses a key that is taken, with nothing changed", async () => {
    const environment = await anEnvironment();
    const create = () =>
      change({ environmentId: environment }, async () => [
        {
          kind: "dev-variable",
          id: newId(),
          before: null,
          after: { key: "K", name: "N", status: "active", value: "v" },
        },
      ]);
    const outcomes = await Promise.allSettled([create(), create()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
    expect(await currentVersion(db, environment)).toBe(1);
  });
});
