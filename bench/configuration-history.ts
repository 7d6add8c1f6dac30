import { hash, randomBytes } from "node:crypto";
import { v7 as newId } from "uuid";
import type { MasterKeys } from "@/lib/kernel/crypto/master-keys";
import { seal } from "@/lib/kernel/crypto/sealed";
import { type Cell, pick, type Rows, scrambled } from "./copy.ts";

/** The size of a generated configuration. */
export interface ConfigurationAmounts {
  developmentVariables: number;
  secureVariables: number;
  certificates: number;
  configurationVersions: number;
}

type Kind = "dev-variable" | "secure-variable" | "secure-certificate";

/** An entry as a version leaves it. */
interface Entry {
  number: number;
  id: string;
  kind: Kind;
  key: string;
  name: string;
  status: "active" | "inactive";
  /** The version that changed it last. */
  version: number;
  /** The version that set its value. */
  valueVersion: number;
}

interface Change {
  action: "create" | "update" | "delete";
  entry: Entry;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The entries that every second version changes. */
const HOT_ENTRIES = 20;
/** A temporary key is created in every 100th version and deleted this many versions later. */
const TEMPORARY_VERSIONS = 50;

const WORDS = ["Payments", "Search", "Login", "Maps", "Push", "Analytics", "Media", "Chat"];
const PARTS = ["URL", "TOKEN", "TIMEOUT", "REGION", "BUCKET"];

/** The key of a generated variable or certificate. */
export function generatedKey(kind: Kind, n: number): string {
  const prefix = kind === "dev-variable" ? "SERVICE" : kind === "secure-variable" ? "SECRET" : "CERTIFICATE";
  return `${prefix}_${String(n).padStart(6, "0")}_${pick(PARTS, n)}`;
}

function createEntries(amounts: ConfigurationAmounts): Entry[] {
  const counts: [Kind, number][] = [
    ["dev-variable", amounts.developmentVariables],
    ["secure-variable", amounts.secureVariables],
    ["secure-certificate", amounts.certificates],
  ];
  let number = 0;
  return counts.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, n): Entry => {
      const status = n % 10 === 9 ? "inactive" : "active";
      const key = generatedKey(kind, n);
      const name = `${pick(WORDS, scrambled(n))} service ${n}`;
      return { number: number++, id: newId(), kind, key, name, status, version: 1, valueVersion: 1 };
    }),
  );
}

/**
 * Generates the changes of each version. The first version creates all entries. Most of the others change one entry, half
 * of them one of {@link HOT_ENTRIES}; every 500th changes 20, every seventh only a name, and some create or delete a
 * temporary key. Each pass yields the same history.
 */
function* historyOf(initial: readonly Entry[], versions: number): Generator<{ number: number; changes: Change[] }> {
  const entries = initial.map((entry) => ({ ...entry }));
  yield { number: 1, changes: entries.map((entry) => ({ action: "create", entry })) };
  const temporary: Entry[] = [];
  for (let number = 2; number <= versions; number++) {
    if (number % 100 === 0 && number % 500 !== 0 && number + TEMPORARY_VERSIONS <= versions) {
      const entry: Entry = {
        number: entries.length,
        id: "",
        kind: "dev-variable",
        key: `TEMPORARY_${(number / 100) % HOT_ENTRIES}`,
        name: "Temporary",
        status: "active",
        version: number,
        valueVersion: number,
      };
      temporary.push(entry);
      yield { number, changes: [{ action: "create", entry }] };
      continue;
    }
    if (number % 100 === TEMPORARY_VERSIONS && temporary.length > 0) {
      const entry = { ...(temporary.pop() as Entry), version: number };
      yield { number, changes: [{ action: "delete", entry }] };
      continue;
    }
    const count = number % 500 === 0 ? Math.min(20, entries.length) : 1;
    const first =
      (scrambled(number) >>> 8) % (number % 2 === 0 ? Math.min(HOT_ENTRIES, entries.length) : entries.length);
    const changes = Array.from({ length: count }, (_, offset): Change => {
      // A hot entry is of any kind.
      const index = (number % 2 === 0 ? Math.floor((first * entries.length) / HOT_ENTRIES) : first) + offset;
      const entry = pick(entries, index);
      entry.version = number;
      if (number % 7 === 0) entry.name = `${entry.name.split(" · ")[0]} · ${number}`;
      else entry.valueVersion = number;
      return { action: "update", entry: { ...entry } };
    });
    yield { number, changes };
  }
}

/**
 * The ID of the secret of an entry's value in the history.
 * @param run 13 hexadecimal digits that are different for each generated configuration
 */
function secretId({ number, valueVersion }: Entry, run: string): string {
  const version = valueVersion.toString(16).padStart(8, "0");
  return `${version}-${run.slice(0, 4)}-7${run.slice(4, 7)}-8000-${run.slice(7)}${number.toString(16).padStart(6, "0")}`;
}

function textOf({ kind, number, valueVersion }: Entry): string {
  const random = hash("sha256", `${number}/${valueVersion}`);
  if (kind === "dev-variable")
    return `https://service-${number}.example.test/v${valueVersion}?key=${random.slice(0, 16)}`;
  if (kind === "secure-variable") return random.slice(0, 40);
  return `-----BEGIN CERTIFICATE-----\n${random.repeat(16)}\n-----END CERTIFICATE-----\n`;
}

function detailsOf(entry: Entry) {
  return {
    fileName: `${entry.key}.pem`,
    format: "pem",
    sha256: hash("sha256", textOf(entry)),
    expirationDate: new Date(
      Math.floor(Date.now() / DAY_MS) * DAY_MS + (90 + (entry.number % 700)) * DAY_MS,
    ).toISOString(),
    subject: `CN=${entry.name}`,
    issuer: "CN=Example CA",
    serialNumber: String(entry.number),
    keyAlgorithm: "RSA 2048",
    hasPrivateKey: false,
    chainLength: 1,
  };
}

/**
 * Generates a configuration with its history: the rows of each table, in the order of their foreign keys. Secrets are
 * sealed, so the console opens them.
 */
export function configurationRows(
  environmentId: string,
  userId: string | null,
  amounts: ConfigurationAmounts,
  keys: MasterKeys,
): Rows[] {
  const initial = createEntries(amounts);
  const run = randomBytes(7).toString("hex").slice(1);
  const versions = amounts.configurationVersions;
  const now = Date.now();
  const dateOf = (version: number) => new Date(now - (versions - version) * MINUTE_MS).toISOString();
  const sealed = (table: string, id: string, entry: Entry) =>
    `\\x${Buffer.from(seal(textOf(entry), { table, id, column: "value" }, keys)).toString("hex")}`;
  const history = () => historyOf(initial, versions);

  function* versionCells(): Generator<Cell[]> {
    for (const { number, changes } of history()) yield [environmentId, number, dateOf(number), userId, changes.length];
  }
  function* secretCells(): Generator<Cell[]> {
    for (const { number, changes } of history()) {
      for (const { entry } of changes) {
        if (entry.kind === "dev-variable" || entry.valueVersion !== number) continue;
        const id = secretId(entry, run);
        yield [id, environmentId, entry.kind, entry.key, sealed("ConfigurationSecret", id, entry)];
      }
    }
  }
  function* changeCells(): Generator<Cell[]> {
    for (const { number, changes } of history()) {
      for (const { action, entry } of changes) {
        const { kind, key, name } = entry;
        const remains = action !== "delete";
        yield [
          newId(),
          environmentId,
          number,
          kind,
          key,
          action,
          name,
          remains ? entry.status : null,
          remains && kind === "dev-variable" ? textOf(entry) : null,
          remains && kind !== "dev-variable" ? secretId(entry, run) : null,
          remains && kind === "secure-certificate" ? JSON.stringify(detailsOf(entry)) : null,
        ];
      }
    }
  }
  function* entryCells(kind: Kind, table: string): Generator<Cell[]> {
    const latest = new Map<number, Entry>();
    for (const { changes } of history()) {
      for (const { entry } of changes) if (entry.id !== "" && entry.kind === kind) latest.set(entry.number, entry);
    }
    for (const entry of latest.values()) {
      const { id, name, key, status, version } = entry;
      const value = kind === "dev-variable" ? textOf(entry) : sealed(table, id, entry);
      const details = kind === "secure-certificate" ? Object.values(detailsOf(entry)).map(String) : [];
      yield [id, environmentId, name, key, value, status, version, dateOf(version), userId, ...details];
    }
  }
  const entryColumns = [
    "id",
    "environmentId",
    "name",
    "key",
    "value",
    "status",
    "version",
    "updatedAt",
    "updatedByUser",
  ];
  const detailColumns = [
    ...["fileName", "format", "sha256", "expirationDate", "subject", "issuer", "serialNumber", "keyAlgorithm"],
    ...["hasPrivateKey", "chainLength"],
  ];
  return [
    {
      table: "ConfigurationVersion",
      columns: ["environmentId", "number", "at", "userId", "changeCount"],
      cells: versionCells(),
    },
    {
      table: "ConfigurationSecret",
      columns: ["id", "environmentId", "kind", "key", "value"],
      cells: secretCells(),
    },
    {
      table: "ConfigurationChange",
      columns: [
        ...[
          "id",
          "environmentId",
          "version",
          "kind",
          "key",
          "action",
          "name",
          "status",
          "value",
          "secretId",
          "details",
        ],
      ],
      cells: changeCells(),
    },
    { table: "DevVariable", columns: entryColumns, cells: entryCells("dev-variable", "DevVariable") },
    { table: "SecureVariable", columns: entryColumns, cells: entryCells("secure-variable", "SecureVariable") },
    {
      table: "SecureCertificate",
      columns: [...entryColumns, ...detailColumns],
      cells: entryCells("secure-certificate", "SecureCertificate"),
    },
  ];
}
