/**
 * @param {string} title as typed, such as "Add Release notes"
 * @returns {string} the form for a folder name, such as "add_release_notes"
 * @throws {Error} if the title contains no letter or digit
 */
export function toMigrationTitle(title) {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  if (!words) throw new Error("A migration needs a name, like: npm run db:migration -- add_release_notes");
  return words.join("_").slice(0, 60);
}

/**
 * Names a new migration so that it sorts after all others, even if another was written on a machine whose clock was ahead.
 *
 * @param {string[]} existing the names of the existing folders
 * @param {string} title as returned by {@link toMigrationTitle}
 * @param {Date} now
 * @returns {string} such as "20261120164501_add_release_notes"
 */
export function nextMigrationName(existing, title, now) {
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const stamps = existing.map((name) => name.slice(0, 14)).filter((text) => /^\d{14}$/.test(text));
  const newest = stamps.sort().at(-1) ?? "";
  return `${stamp > newest ? stamp : String(BigInt(newest) + 1n)}_${title}`;
}

/**
 * @param {string} sql
 * @returns {string[]} the lines that delete data or objects, for review
 */
export function findDestructiveLines(sql) {
  return sql.split("\n").filter((line) => /\b(DROP|TRUNCATE|DELETE)\b/i.test(line) && !line.startsWith("--"));
}

/** What an older version of the console, which runs while a migration is applied, does not survive. */
const BREAKING = [
  [/\bDROP\s+TABLE\b/i, "removes a table that the older version uses"],
  [/\bDROP\s+COLUMN\b/i, "removes a column that the older version reads and writes"],
  [/\bDROP\s+(VIEW|TYPE|FUNCTION|SEQUENCE|SCHEMA)\b/i, "removes what the older version uses"],
  [/\bRENAME\b/i, "renames what the older version uses by its name"],
  [/\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i, "changes the type of a column that the older version reads"],
  [/\bALTER\s+COLUMN\s+\S+\s+SET\s+NOT\s+NULL\b/i, "refuses rows that the older version writes without a value"],
  [/\bALTER\s+COLUMN\s+\S+\s+DROP\s+DEFAULT\b/i, "refuses rows that the older version writes without a value"],
  [/\bADD\s+CONSTRAINT\b|\bADD\s+(UNIQUE|CHECK|FOREIGN\s+KEY)\b/i, "refuses rows that the older version may write"],
  [/\bCREATE\s+UNIQUE\s+INDEX\b/i, "refuses rows that the older version may write"],
  [/\bTRUNCATE\b/i, "removes rows"],
];

/** A line of a migration that says why no running version is affected. */
const EXCEPTION = /^-- Contract: \S/m;

const TABLE = /\b(?:ALTER\s+TABLE(?:\s+IF\s+EXISTS)?(?:\s+ONLY)?|INDEX\s+\S+\s+ON(?:\s+ONLY)?)\s+("[^"]+"|\w+)/i;

/**
 * Finds the statements of a migration that break the previous version of the console, which serves while the migration runs
 * and, until all instances are replaced, after it. A migration of the kind "contract", which removes what the previous
 * version no longer uses, says so in a line `-- Contract: <why>`.
 *
 * @param {string} sql
 * @returns {{ statement: string, reason: string }[]}
 */
export function findBreakingStatements(sql) {
  if (EXCEPTION.test(sql)) return [];
  const text = sql.replace(/\/\*.*?\*\//gs, " ").replace(/--[^\n]*/g, " ");
  // The bodies of functions run later and are not changes. Those of DO blocks are changes.
  const statements = text
    .replace(/(\bDO\s+)?(\$\w*\$)(.*?)\2/gis, (_match, block, _tag, body) => (block ? body : " "))
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter(Boolean);
  const created = new Set(
    statements.flatMap(
      (statement) => /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?("[^"]+"|\w+)/i.exec(statement)?.[1] ?? [],
    ),
  );
  return statements.flatMap((statement) => {
    if (/^(CREATE|COMMENT|GRANT)\b/i.test(statement) && !/^CREATE UNIQUE INDEX/i.test(statement)) return [];
    if (created.has(TABLE.exec(statement)?.[1] ?? "")) return [];
    const broken = BREAKING.flatMap(([pattern, reason]) =>
      /** @type {RegExp} */ (pattern).test(statement) ? [{ statement, reason: String(reason) }] : [],
    );
    const added = statement.match(/\bADD COLUMN (?:IF NOT EXISTS )?.*?(?=, ADD COLUMN|, ALTER|, DROP|$)/gi) ?? [];
    const required = added.filter(
      (column) => /\bNOT NULL\b/i.test(column) && !/\b(DEFAULT|GENERATED|SERIAL|BIGSERIAL)\b/i.test(column),
    );
    return [
      ...broken,
      ...required.map(() => ({ statement, reason: "refuses rows that the older version writes without the column" })),
    ];
  });
}
