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
