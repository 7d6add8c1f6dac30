import "server-only";
import { type InstallerDetails, installerDetailsSchema } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import type { PlatformKind, Prisma, Status } from "@/lib/db/generated/client";
import { type JsonRow, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { NEWEST_FIRST } from "@/lib/db/release-order";

/** The columns of a release in bytes, which JSON has as numbers. */
type SizeColumn = "size" | "universalSize" | "filesSize";

/** A release with its related rows, as `readReleases` loads it. */
export interface ReleaseRow extends Omit<Prisma.ReleaseGetPayload<object>, SizeColumn> {
  /** Bytes. */
  size: number;
  /** Bytes. */
  universalSize: number;
  /** Bytes. */
  filesSize: number;
  environment: {
    id: string;
    name: string;
    status: Status;
    app: { id: string; name: string; identifier: string; status: Status };
  };
  platform: { id: string; name: string; kind: PlatformKind; logoFileId: string | null };
  /** `size` in bytes. */
  file: { name: string; size: number; sha256: string | null; storageKey: string };
  iconFile: { storageKey: string } | null;
  /** The APK that was made of a bundle. */
  universal: { size: number; sha256: string | null; storageKey: string } | null;
  user: { id: string; firstNames: string; lastNames: string; avatarFileId: string | null } | null;
  token: { id: string; name: string } | null;
}

export function detailsOf(row: Pick<ReleaseRow, "installer">): InstallerDetails {
  return installerDetailsSchema.parse(row.installer);
}

/** Rows to which a release refers: `t`, and what is read with it. */
interface Related {
  rows: Sql;
  columns: Sql;
  /** Changes with each change of the rows: PostgreSQL then gives a row another `xmin`. */
  version: Sql;
  /** The columns of a release that refer to `t`, each with the property of `ReleaseRow` that has its row. */
  properties: Readonly<Record<string, keyof ReleaseRow>>;
}

const related = (table: string, columns: string[], properties: Related["properties"]): Related => ({
  rows: sql`${raw(`"${table}"`)} t`,
  columns: raw(["id", ...columns].map((column) => `t."${column}"`).join(", ")),
  version: sql`t.xmin::text`,
  properties,
});

/** What a release is made of besides its own row. A change of any of these rows changes the release. */
const RELATED = {
  environments: {
    rows: sql`"Environment" t JOIN "App" a ON a."id" = t."appId"`,
    columns: sql`t."id", t."name", t."status",
      json_build_object('id', a."id", 'name', a."name", 'identifier', a."identifier", 'status', a."status") AS "app"`,
    version: sql`t.xmin::text || ' ' || a.xmin::text`,
    properties: { environmentId: "environment" },
  },
  platforms: related("Platform", ["name", "kind", "logoFileId"], { platformId: "platform" }),
  files: related("File", ["name", "size", "sha256", "storageKey"], {
    fileId: "file",
    iconFileId: "iconFile",
    universalFileId: "universal",
  }),
  users: related("User", ["firstNames", "lastNames", "avatarFileId"], { createdByUser: "user" }),
  tokens: related("ApiToken", ["name"], { createdByToken: "token" }),
} satisfies Record<string, Related>;

type RelatedKind = keyof typeof RELATED;

const RELATED_KINDS = Object.keys(RELATED) as RelatedKind[];

/** The references of a release, each with the kind of row and the property that has the row. */
const REFERENCES = RELATED_KINDS.flatMap((kind) =>
  Object.entries(RELATED[kind].properties).map(([column, property]) => ({ kind, column, property })),
);

export const REFERENCE_COLUMNS = raw(REFERENCES.map(({ column }) => `r."${column}"`).join(", "));

/** For each kind of related rows, a value about those to which the releases of `page` refer, as columns of a SELECT. */
const ofRelated = (value: (related: Related) => { aggregate: Sql; columns: Sql }): Sql =>
  join(
    RELATED_KINDS.map((kind) => {
      const { aggregate, columns } = value(RELATED[kind]);
      const ids = Object.keys(RELATED[kind].properties).map((column) => `SELECT "${column}" FROM page`);
      // Arrays, not joins or IN: PostgreSQL then looks up each row by its key, even if its table statistics are wrong.
      return sql`(SELECT ${aggregate} FROM (SELECT ${columns} FROM ${RELATED[kind].rows}
        WHERE t."id" = ANY (ARRAY(${raw(ids.join(" UNION ALL "))}))) t) AS ${raw(`"${kind}"`)}`;
    }),
  );

const RELATED_ROWS = ofRelated(({ columns }) => ({ aggregate: sql`json_agg(t)`, columns }));

const RELATED_VERSIONS = ofRelated(({ version }) => ({
  aggregate: sql`json_object_agg("id", "version")`,
  columns: sql`t."id", ${version} AS "version"`,
}));

/** Releases and their related rows. A row that several releases share occurs once. */
type LoadedRows = { [Kind in RelatedKind]: { id: string }[] | null } & {
  releases: (JsonRow<Omit<Prisma.ReleaseGetPayload<object>, SizeColumn>> & Record<SizeColumn, number>)[] | null;
};

function assemble({ releases, ...related }: LoadedRows): ReleaseRow[] {
  const rows = new Map(Object.values(related).flatMap((list) => (list ?? []).map((row) => [row.id, row])));
  return (releases ?? []).map((release) => {
    const ids = release as unknown as Record<string, string | null>;
    return {
      ...release,
      deployDate: new Date(release.deployDate),
      updatedAt: new Date(release.updatedAt),
      ...Object.fromEntries(REFERENCES.map(({ column, property }) => [property, rows.get(ids[column] ?? "") ?? null])),
    } as ReleaseRow;
  });
}

/**
 * Loads releases and their related rows by one statement, so that a release that is deleted at the same moment is
 * either whole or missing.
 *
 * @param releases selects the rows of "Release"
 * @param options.order on `r`
 * @param options.scalar is read in the same statement
 */
export async function readReleases<Scalar = null>(
  from: Db,
  releases: Sql,
  {
    order = NEWEST_FIRST,
    scalar = sql`NULL`,
    prepared = false,
  }: { order?: Sql; scalar?: Sql; prepared?: boolean } = {},
): Promise<{ rows: ReleaseRow[]; scalar: Scalar | null }> {
  const [loaded] = await queryRows<LoadedRows & { scalar: Scalar }>(
    from,
    sql`
      WITH page AS MATERIALIZED (${releases})
      SELECT ${scalar} AS "scalar", (SELECT json_agg(r ORDER BY ${order}) FROM page r) AS "releases", ${RELATED_ROWS}`,
    { prepared },
  );
  const { scalar: read, ...rows } = loaded as NonNullable<typeof loaded>;
  return { rows: assemble(rows), scalar: read };
}

/** The release that a statement selects, or null. */
export async function findRelease(from: Db, release: Sql): Promise<ReleaseRow | null> {
  const { rows } = await readReleases(from, release, { prepared: true });
  return rows[0] ?? null;
}

/** The versions of the releases of `page` and of the rows to which they refer. */
export const versionsOfPage = (order: Sql) => sql`(SELECT row_to_json(v) FROM (
  SELECT (SELECT json_agg(json_build_array(r."id", r."rowVersion", ${REFERENCE_COLUMNS}) ORDER BY ${order}) FROM page r)
    AS "releases", ${RELATED_VERSIONS}) v)`;

/** As `versionsOfPage` selects it. */
export type LoadedVersions = { [Kind in RelatedKind]: Readonly<Record<string, string>> | null } & {
  releases: [id: string, version: string, ...references: (string | null)[]][] | null;
};

/** A release of a page, and the versions of the rows that it is made of. */
export interface ReleaseState {
  id: string;
  state: string;
}

export function statesOf({ releases, ...versions }: LoadedVersions): ReleaseState[] {
  return (releases ?? []).map(([id, version, ...references]) => ({
    id,
    state: [version, ...REFERENCES.map(({ kind }, index) => versions[kind]?.[references[index] ?? ""])].join(" "),
  }));
}
