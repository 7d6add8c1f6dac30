import { certificateSample } from "@slipway/certificates/testing";
import { verifyAudit } from "@/lib/audit/verify";
import { databasePool } from "@/lib/db/client";
import { type MasterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { unseal } from "@/lib/kernel/crypto/sealed";
import type { Random } from "@/lib/testing/random";
import { expectRecorded } from "../audit-records.ts";
import type { Answer, Arena, Round, Subject } from "../torture.ts";

const ENVIRONMENTS = 3;
/** Requests of one environment that are under way at the same time. */
const WORKERS = 2;
/** Versions of each environment that are read as a whole after each kill. */
const READ_VERSIONS = 2;
const IMPORTED = 12;
/** With more entries, an environment's are deleted. */
const MAX_ROWS = 60;

const TABLES = {
  "dev-variable": "DevVariable",
  "secure-variable": "SecureVariable",
  "secure-certificate": "SecureCertificate",
} as const;
type Kind = keyof typeof TABLES;
type VariableKind = Exclude<Kind, "secure-certificate">;
const NAMES = {
  "dev-variable": "development-variable",
  "secure-variable": "secure-variable",
  "secure-certificate": "secure-certificate",
} as const;

/** An entry as a version has it. Of a certificate, `value` is the file in base64. */
interface Entry {
  name: string;
  status: string;
  value: string;
  password: string | null;
  details: Record<string, unknown> | null;
}
type Content = ReadonlyMap<string, Entry>;
const idOf = (kind: string, key: string) => `${kind}/${key}`;

/** A row of the history. Deleted entries have no state. */
interface ChangeRow {
  version: number;
  kind: Kind;
  key: string;
  action: string;
  state: Entry | null;
}

/** What the answer to a change said, or what a change without an answer would have done. */
interface Sent {
  /** Null where no answer came. */
  answer: Answer | null;
  /** Values by `kind/key` that the change sets. Each occurs in no other change. */
  values: Map<string, string>;
  /** What the change deletes; undefined if that is known from the answer alone. */
  deletes?: string;
}

/** An environment with what was sent to it and what is known of its history. */
class Place {
  readonly sent: Sent[] = [];
  readonly revealed: string[] = [];
  /** Versions of which a client read the kind's secrets. */
  readonly clientReveals = new Set<string>();
  /** The content of each version; at index 0 there is nothing. */
  readonly contents: Content[] = [new Map()];
  /** Rows that were created and, as far as is known, exist. */
  readonly rows: { kind: Kind; id: string; key: string }[] = [];

  constructor(
    readonly environmentId: string,
    readonly token: { id: string; headers: Record<string, string> },
  ) {}

  get version(): number {
    return this.contents.length - 1;
  }
}

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;
const json = (value: unknown) => JSON.stringify(value);

/**
 * Variables and certificates: several workers create, update, rename, delete, import, restore and reveal at the same time.
 * Afterwards, the history, the rows, the audit log and what was answered must agree.
 */
export class Configuration implements Subject {
  readonly name = "configuration";
  #arena!: Arena;
  #places: Place[] = [];
  /** The headers of a user who has passed the second factor. */
  #user: Record<string, string> = {};
  #next = 0;
  #changes = 0;
  #unanswered = 0;
  #reveals = 0;
  #records = 0;
  #opened = 0;

  async prepare(arena: Arena): Promise<void> {
    this.#arena = arena;
    const admin = await arena.admin();
    const { cookies } = await admin.request.storageState();
    this.#user = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
    const app = await admin.command("apps/create-app", {
      name: "Orbit",
      identifier: "com.example.orbit",
      status: "active",
    });
    for (let index = 0; index < ENVIRONMENTS; index++) {
      const { id: environmentId } = await admin.command("apps/create-environment-app", {
        appId: app.id,
        name: `Environment ${index}`,
        status: "active",
      });
      const { id, token } = await admin.command("config/create-api-token", {
        name: `Environment ${index}`,
        appId: app.id,
        environmentId,
        identifiers: ["server"],
        validUntil: new Date(Date.now() + 24 * 3_600_000).toISOString(),
        scopes: [
          "environment:read",
          "dev-variable:write",
          "dev-variable:read",
          "secure-variable:write",
          "secure-variable:read",
          "secure-certificate:write",
          "secure-certificate:read",
        ],
      });
      this.#places.push(new Place(environmentId, { id, headers: { authorization: `Bearer ${token}` } }));
    }
  }

  async work(round: Round): Promise<void> {
    // A user reveals within 15 minutes of the second factor, and a run takes longer.
    await databasePool().query(
      `UPDATE "Session" SET "expiresAt" = now() + interval '1 hour', "secondFactorConfirmedAt" = now()
       WHERE "secondFactorAt" IS NOT NULL`,
    );
    await Promise.all(
      this.#places.flatMap((place) =>
        Array.from({ length: WORKERS }, async () => {
          while (!round.signal.aborted) await this.#step(round, place);
        }),
      ),
    );
  }

  async #step(round: Round, place: Place): Promise<void> {
    const choice = round.random(100);
    if (place.rows.length > MAX_ROWS) await this.#delete(round, place);
    else if (choice < 35) await this.#create(round, place);
    else if (choice < 60) await this.#update(round, place);
    else if (choice < 72) await this.#delete(round, place);
    else if (choice < 80) await this.#import(round, place);
    else if (choice < 86) await this.#restore(round, place);
    else if (choice < 94) await this.#reveal(round, place);
    else await this.#clientReveal(round, place);
  }

  /** Sends a change, and notes what it does if it succeeds. @param refusals statuses of changes that others overtook */
  async #change(
    round: Round,
    place: Place,
    path: string,
    input: object,
    sent: Omit<Sent, "answer">,
    refusals: number[],
  ) {
    const answer = await round.call(`apps/${path}`, { headers: place.token.headers, input });
    if (answer && answer.status >= 300) {
      if (answer.status < 500 && !refusals.includes(answer.status)) {
        round.fail(`${path} answered ${answer.status}: ${json(answer.body)}`);
      }
      return null;
    }
    place.sent.push({ answer, ...sent });
    this.#changes += 1;
    if (!answer) this.#unanswered += 1;
    return answer;
  }

  /** The fields of a new value. @returns what the request has, and the value as the history has it */
  #newValue(random: Random, kind: Kind): { fields: Record<string, string>; value: string } {
    const unique = `value ${this.#next++}`;
    if (kind !== "secure-certificate") return { fields: { value: unique + "x".repeat(random(2_000)) }, value: unique };
    // PEM files may have other text before the certificate.
    const file = Buffer.concat([Buffer.from(`${unique}\n`), certificateSample("leaf.pem")]).toString("base64");
    const fileName = "leaf.pem";
    return { fields: { value: file, fileName, password: `password of ${unique}` }, value: unique };
  }

  async #create(round: Round, place: Place): Promise<void> {
    const kind = pick(round.random, Object.keys(TABLES) as Kind[]);
    const key = `KEY_${this.#next++}`;
    const { fields, value } = this.#newValue(round.random, kind);
    const input = { environmentId: place.environmentId, name: `Name of ${key}`, key, ...fields };
    const values = new Map([[idOf(kind, key), value]]);
    const answer = await this.#change(round, place, `create-${NAMES[kind]}`, input, { values }, []);
    if (answer) place.rows.push({ kind, id: answer.body.id, key });
  }

  async #update(round: Round, place: Place): Promise<void> {
    if (place.rows.length === 0) return;
    const row = pick(round.random, place.rows);
    const { kind, id } = row;
    const { fields, value } = this.#newValue(round.random, kind);
    const rename = round.random(4) === 0;
    // Another worker may rename the same entry.
    const key = rename ? `KEY_${this.#next++}` : undefined;
    const status = pick(round.random, ["active", "inactive"]);
    const values = new Map([[key ? idOf(kind, key) : "", value]]);
    const input = { id, key, status, ...fields };
    const answer = await this.#change(round, place, `update-${NAMES[kind]}`, input, { values }, [404, 409]);
    if (answer && key) row.key = key;
  }

  async #delete(round: Round, place: Place): Promise<void> {
    if (place.rows.length === 0) return;
    const [row] = place.rows.splice(round.random(place.rows.length), 1);
    if (!row) return;
    const sent = { values: new Map(), deletes: row.id };
    await this.#change(round, place, `delete-${NAMES[row.kind]}`, { id: row.id }, sent, [404]);
  }

  async #import(round: Round, place: Place): Promise<void> {
    const kind = pick<VariableKind>(round.random, ["dev-variable", "secure-variable"]);
    const mode = round.random(4) === 0 ? "replace" : "merge";
    const values = new Map<string, string>();
    for (let index = 0; index < IMPORTED; index++) {
      values.set(idOf(kind, `IMPORTED_${round.random(2 * IMPORTED)}`), `value ${this.#next++}`);
    }
    const text = json(Object.fromEntries([...values].map(([id, value]) => [id.slice(kind.length + 1), value])));
    const input = { environmentId: place.environmentId, kind, format: "json", text, mode };
    await this.#change(round, place, "import-variables", input, { values }, []);
  }

  async #restore(round: Round, place: Place): Promise<void> {
    if (place.version === 0) return;
    const version = Math.max(1, place.version - round.random(30));
    const input = { environmentId: place.environmentId, version };
    await this.#change(round, place, "restore-configuration", input, { values: new Map() }, [429]);
  }

  async #reveal(round: Round, place: Place): Promise<void> {
    const secrets = place.rows.filter(({ kind }) => kind !== "dev-variable");
    if (secrets.length === 0) return;
    const { kind, id } = pick(round.random, secrets);
    const headers = round.random(2) === 0 ? this.#user : place.token.headers;
    const answer = await round.call(`apps/get-${NAMES[kind]}`, { headers, query: { id } });
    if (answer?.status === 200) place.revealed.push(answer.requestId);
    else if (answer && ![404].includes(answer.status))
      round.fail(`a reveal answered ${answer.status}: ${json(answer.body)}`);
    this.#reveals += 1;
  }

  async #clientReveal(round: Round, place: Place): Promise<void> {
    const kind = pick<Kind>(round.random, ["secure-variable", "secure-certificate"]);
    const answer = await round.call(`client/get-${NAMES[kind]}s`, { headers: place.token.headers, query: {} });
    this.#reveals += 1;
    if (!answer) return;
    if (answer.status !== 200) return round.fail(`a client's read answered ${answer.status}: ${json(answer.body)}`);
    const { configurationVersion, variables, certificates } = answer.body;
    const secrets = variables ? Object.keys(variables) : certificates;
    if (secrets.length > 0) place.clientReveals.add(`${TABLES[kind]} ${configurationVersion}`);
  }

  async check(round: Round): Promise<void> {
    const keys = parseMasterKeys(this.#arena.deployment.settings.MASTER_KEY);
    for (const place of this.#places) {
      const rows = await readChanges(place, keys);
      this.#opened += rows.length;
      await checkVersions(round, place, rows);
      await checkRows(round, place, keys);
      await checkSent(round, place, rows);
      await checkReveals(round, place);
      await checkReading(round, place);
    }
    await this.#checkAudit(round);
  }

  async #checkAudit(round: Round): Promise<void> {
    const { records, faults } = await verifyAudit(databasePool());
    this.#records = records;
    for (const fault of faults) round.fail(`the audit log has a fault: ${json(fault)}`);
    const { rows } = await databasePool().query<{ versions: number; recorded: number }>(
      `SELECT (SELECT count(*)::int FROM "ConfigurationVersion") AS "versions",
         (SELECT count(*)::int FROM "AuditRecord"
          WHERE ("table" IN ('DevVariable', 'SecureVariable', 'SecureCertificate') AND "action" IN ('create', 'update', 'delete'))
             OR ("table" = 'ConfigurationVersion' AND "changes"->'version'->0 <> "changes"->'version'->1)) AS "recorded"`,
    );
    const [count] = rows;
    if (count?.versions !== count?.recorded)
      round.fail(`${count?.versions} versions have ${count?.recorded} audit records`);
  }

  figures(): Record<string, number> {
    return {
      changes: this.#changes,
      "changes without an answer": this.#unanswered,
      versions: this.#places.reduce((sum, { version }) => sum + version, 0),
      reveals: this.#reveals,
      "audit records": this.#records,
      "changed entries read": this.#opened,
    };
  }
}

/** The rows of the history after the last known version, with opened secrets. */
async function readChanges(place: Place, keys: MasterKeys): Promise<ChangeRow[]> {
  const { rows } = await databasePool().query(
    `SELECT c."version", c."kind", c."key", c."action"::text, c."name", c."status"::text, c."value", c."details", c."secretId",
       s."value" AS "sealedValue", s."password" AS "sealedPassword"
     FROM "ConfigurationChange" c LEFT JOIN "ConfigurationSecret" s ON s."id" = c."secretId"
     WHERE c."environmentId" = $1 AND c."version" > $2 ORDER BY c."version", c."kind", c."key"`,
    [place.environmentId, place.version],
  );
  return rows.map(
    ({ version, kind, key, action, name, status, value, details, secretId, sealedValue, sealedPassword }) => {
      const row = { version, kind, key, action };
      if (status === null) return { ...row, state: null };
      const secret = openSealed(
        keys,
        { table: "ConfigurationSecret", id: secretId },
        kind,
        sealedValue,
        sealedPassword,
      );
      return { ...row, state: { name, status, details, ...(secret ?? { value, password: null }) } };
    },
  );
}

function openSealed(
  keys: MasterKeys,
  place: { table: string; id: string },
  kind: Kind,
  value: Buffer | null,
  password: Buffer | null,
): Pick<Entry, "value" | "password"> | null {
  if (!value) return null;
  const opened = unseal(value, { ...place, column: "value" }, keys);
  return {
    value: opened.toString(kind === "secure-certificate" ? "base64" : "utf8"),
    password: password && unseal(password, { ...place, column: "password" }, keys).toString(),
  };
}

/** Versions are 1 to n, each has the changes that it says, and one that restores has the content of the restored one. */
async function checkVersions(round: Round, place: Place, changes: readonly ChangeRow[]): Promise<void> {
  const known = place.version;
  const { rows } = await databasePool().query<{ number: number; changeCount: number; restoredFrom: number | null }>(
    `SELECT "number", "changeCount", "restoredFrom" FROM "ConfigurationVersion"
     WHERE "environmentId" = $1 AND "number" > $2 ORDER BY "number"`,
    [place.environmentId, known],
  );
  const { rows: environments } = await databasePool().query<{ current: number }>(
    `SELECT "configurationVersion" AS "current" FROM "Environment" WHERE "id" = $1`,
    [place.environmentId],
  );
  const current = environments[0]?.current;
  if (current !== known + rows.length)
    round.fail(`the environment is at ${current}, its history at ${known + rows.length}`);
  const byVersion = Map.groupBy(changes, ({ version }) => version);
  for (const [index, { number, changeCount, restoredFrom }] of rows.entries()) {
    if (number !== known + index + 1) round.fail(`version ${number} follows ${known + index}`);
    const own = byVersion.get(number) ?? [];
    if (own.length !== changeCount) round.fail(`version ${number} has ${own.length} of ${changeCount} changes`);
    const content = new Map(place.contents[place.version]);
    for (const { kind, key, action, state } of own) {
      const id = idOf(kind, key);
      if (content.has(id) === (action === "create"))
        round.fail(`version ${number}: ${action} of ${id} after version ${number - 1}`);
      if (state) content.set(id, state);
      else content.delete(id);
    }
    place.contents.push(content);
    const restored = restoredFrom === null ? undefined : place.contents[restoredFrom];
    for (const id of restored ? differencesOf(restored, content) : []) {
      round.fail(`version ${number} restores version ${restoredFrom}, and differs in ${id}`);
    }
  }
}

/** The entries that differ, by `kind/key`. */
function differencesOf(one: Content, other: Content): string[] {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return [...ids].filter((id) => json(one.get(id)) !== json(other.get(id)));
}

/** The rows are the sum of all changes. */
async function checkRows(round: Round, place: Place, keys: MasterKeys): Promise<void> {
  const content = place.contents[place.version] as Content;
  place.rows.length = 0;
  for (const [kind, table] of Object.entries(TABLES) as [Kind, string][]) {
    const { rows } = await databasePool().query(`SELECT * FROM "${table}" WHERE "environmentId" = $1`, [
      place.environmentId,
    ]);
    for (const { id, key, name, status, value, password = null } of rows) {
      place.rows.push({ kind, id, key });
      const secret = kind === "dev-variable" ? null : openSealed(keys, { table, id }, kind, value, password);
      const row = { name, status, ...(secret ?? { value, password: null }) };
      const { details: _details, ...expected } = content.get(idOf(kind, key)) ?? { details: null };
      if (json(Object.entries(row).sort()) !== json(Object.entries(expected).sort())) {
        round.fail(`the row of ${idOf(kind, key)} is not what its changes made of it`);
      }
    }
  }
  if (place.rows.length !== content.size) {
    round.fail(`there are ${place.rows.length} rows, the changes left ${content.size}`);
  }
  const { rows: orphans } = await databasePool().query(
    `SELECT 1 FROM "ConfigurationSecret" s WHERE "environmentId" = $1
       AND NOT EXISTS (SELECT 1 FROM "ConfigurationChange" c WHERE c."secretId" = s."id")`,
    [place.environmentId],
  );
  if (orphans.length > 0) round.fail(`${orphans.length} secrets belong to no version`);
}

/** What was answered is there; what was not answered is there as a whole or not at all. */
async function checkSent(round: Round, place: Place, changes: readonly ChangeRow[]): Promise<void> {
  const uniqueValue = ({ kind, state }: ChangeRow) => {
    const value = kind === "secure-certificate" ? Buffer.from(state?.value ?? "", "base64").toString() : state?.value;
    return /^value \d+/.exec(value ?? "")?.[0];
  };
  const created = new Map<string, ChangeRow[]>();
  for (const change of changes) {
    const value = uniqueValue(change);
    if (value) created.set(value, [...(created.get(value) ?? []), change]);
  }
  for (const { answer, values } of place.sent) {
    // The first version with a value is the change's own; a restoration may repeat it.
    const found = [...values].map(([id, value]) => ({ id, row: created.get(value)?.[0] }));
    const versions = new Set(found.map(({ row }) => row?.version));
    if (versions.size > 1) round.fail(`a change is in the versions ${json([...versions])}, and was to be in one`);
    if (found.some(({ id, row }) => row && id !== "" && id !== idOf(row.kind, row.key))) {
      round.fail(`a change is not at its keys: ${json(found.map(({ id }) => id))}`);
    }
    const version = answer?.body?.version;
    if (version > place.version) round.fail(`version ${version} was answered and does not exist`);
    if (answer && found.length > 0 && version !== undefined && !versions.has(version)) {
      round.fail(`version ${version} was answered, and the change is in ${json([...versions])}`);
    }
  }
  const requestIds = place.sent.flatMap(({ answer }) => (answer ? [answer.requestId] : []));
  await expectRecorded(round, requestIds, "an answered change");
  const deleted = place.sent.flatMap(({ answer, deletes }) => (answer && deletes ? [deletes] : []));
  for (const table of Object.values(TABLES)) {
    const { rows } = await databasePool().query(`SELECT "key" FROM "${table}" WHERE "id" = ANY($1::uuid[])`, [deleted]);
    for (const { key } of rows) round.fail(`the deletion of ${key} was answered, and it is still there`);
  }
  place.sent.length = 0;
}

/** Every answered reveal is recorded. Those of clients are recorded once for each version and kind in a minute. */
async function checkReveals(round: Round, place: Place): Promise<void> {
  await expectRecorded(round, place.revealed.splice(0), "an answered reveal");
  const { rows } = await databasePool().query<{ reveal: string }>(
    `SELECT DISTINCT "table" || ' ' || ("changes"->'configurationVersion'->>1) AS "reveal" FROM "AuditRecord"
     WHERE "tokenId" = $1 AND "action" = 'reveal'`,
    [place.token.id],
  );
  const recorded = new Set(rows.map(({ reveal }) => reveal));
  for (const reveal of place.clientReveals) {
    if (!recorded.has(reveal)) round.fail(`an answered reveal to a client (${reveal}) is not recorded`);
  }
  place.clientReveals.clear();
}

/** The client API answers random versions with the sum of their changes. */
async function checkReading(round: Round, place: Place): Promise<void> {
  if (place.version === 0) return;
  for (let read = 0; read < READ_VERSIONS; read++) {
    const version = 1 + round.random(place.version);
    const query = { configurationVersion: version };
    const { headers } = place.token;
    const answer = await round.call("client/get-configuration", { headers, query });
    const files = await round.call("client/get-secure-certificates", { headers, query });
    const content = [...(place.contents[version] as Content)].filter(([, { status }]) => status === "active");
    const ofKind = (kind: Kind, read: (entry: Entry) => unknown) =>
      content
        .filter(([id]) => id.startsWith(`${kind}/`))
        .map(([id, entry]) => [id.slice(kind.length + 1), read(entry)])
        .sort();
    const { variables = {}, secureVariables = {} } = answer?.body ?? {};
    const certificates: { key: string; value: string; password: string }[] = files?.body?.certificates ?? [];
    const expected = [
      ofKind("dev-variable", ({ value }) => value),
      ofKind("secure-variable", ({ value }) => value),
      ofKind("secure-certificate", ({ value, password }) => [value, password]),
    ];
    const answered = [
      Object.entries(variables).sort(),
      Object.entries(secureVariables).sort(),
      certificates.map(({ key, value, password }) => [key, [value, password]]).sort(),
    ];
    if (json(answered) !== json(expected)) round.fail(`version ${version} is answered with another content`);
  }
}
