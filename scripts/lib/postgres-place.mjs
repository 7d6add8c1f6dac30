import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @typedef {{ name: string, uid: number, gid: number }} Account an account of the operating system
 * @typedef {{ directory: string, account: Account | undefined, outside: boolean }} Place
 *   the folder of the database server; the account that runs it, undefined for the current one; whether the folder is outside DATA_DIR
 */

/** The folder for files that the unprivileged account of a server started by root cannot reach in the project. */
export const systemDir = "/var/lib/slipway";

/** A failure that the user can correct. Its message is shown without a stack trace. */
export class PostgresError extends Error {
  /** @override */
  name = "PostgresError";
}

/**
 * @param {string} passwd the content of /etc/passwd (passwd(5))
 * @returns {Account[]}
 */
export function parseAccounts(passwd) {
  return passwd
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 7)
    .map((fields) => ({ name: String(fields[0]), uid: Number(fields[2]), gid: Number(fields[3]) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid));
}

/**
 * @param {string} path an existing folder
 * @param {{ uid: number, gid: number }} account
 * @returns {boolean} whether the account may enter it and every folder above it
 */
export function isReachable(path, { uid, gid }) {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder);
    const mayEnter = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if (!(mode & mayEnter)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * Picks the account for a server that root starts, since PostgreSQL refuses to run as root: the owner of the data folder,
 * else `postgres`, else `nobody`.
 *
 * @param {number} owner the uid that owns the data folder
 * @param {Account[]} accounts
 * @returns {Account}
 * @throws {PostgresError} if the machine has none of them
 */
export function pickAccount(owner, accounts) {
  const found =
    (owner !== 0 && accounts.find(({ uid }) => uid === owner)) ||
    accounts.find(({ name, uid }) => name === "postgres" && uid !== 0) ||
    accounts.find(({ name, uid }) => name === "nobody" && uid !== 0);
  if (!found) {
    throw new PostgresError(
      "PostgreSQL does not run as root, and this machine has no account `postgres` or `nobody` to run it. Start as an ordinary user, or set DATABASE_URL.",
    );
  }
  return found;
}

/**
 * Determines the folder of a data folder's database server and the account that runs it. For an ordinary user, the server is
 * in the data folder. For root, it is there too if the unprivileged account can reach it (it cannot under a home directory
 * of mode 0700), else in {@link systemDir}; a note in the data folder then names the folder.
 *
 * @param {string} dataDir absolute, exists
 * @param {{ uid: number | undefined, accounts: () => Account[], systemDir?: string }} who the current uid; undefined on systems without uids
 * @returns {Place}
 * @throws {PostgresError} if the folder is missing, belongs to another data folder or account, or cannot be reached
 */
export function findPlace(dataDir, { uid, accounts, systemDir: system = systemDir }) {
  const inside = join(dataDir, "postgres");
  const note = readNote(dataDir);
  if (note) {
    if (note.dataDir !== realpathSync(dataDir)) {
      throw new PostgresError(
        `The database of this data folder lies in ${note.directory} and was made for ${note.dataDir}. If you moved the data folder, write its new path as "dataDir" in ${noteFile(dataDir)}. If you copied it, copy that folder too and name the copy there.`,
      );
    }
    if (!existsSync(note.directory)) {
      throw new PostgresError(`The database of this data folder should lie in ${note.directory}, and that is missing.`);
    }
  }
  if (uid !== 0) {
    const directory = note?.directory ?? inside;
    const owner = uid !== undefined && existsSync(directory) ? statSync(directory).uid : uid;
    if (owner !== uid) {
      const name = accounts().find((account) => account.uid === owner)?.name ?? owner;
      throw new PostgresError(
        `The database in ${directory} was made by a start as root and belongs to "${name}". Start as root again, or give it to yourself with chown.`,
      );
    }
    return { directory, account: undefined, outside: note !== undefined };
  }
  const existing = note?.directory ?? inside;
  const account = pickAccount(statSync(existsSync(existing) ? existing : dataDir).uid, accounts());
  if (note) return { directory: note.directory, account, outside: true };
  if (isReachable(dataDir, account)) return { directory: inside, account, outside: false };
  if (existsSync(inside)) {
    throw new PostgresError(
      `The database in ${inside} is run by "${account.name}", who may no longer enter the folders above it. Give them the permission to pass (chmod o+x).`,
    );
  }
  const key = createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 16);
  return { directory: join(system, key), account, outside: true };
}

/**
 * @param {string} dataDir
 * @returns {string} the file that names the folder of a server outside the data folder
 */
export function noteFile(dataDir) {
  return join(dataDir, "postgres.location.json");
}

/**
 * @param {string} dataDir
 * @returns {{ directory: string, dataDir: string } | undefined}
 */
function readNote(dataDir) {
  const file = noteFile(dataDir);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
