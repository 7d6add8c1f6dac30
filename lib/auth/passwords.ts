import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { FairQueue, QueueFullError } from "@/lib/kernel/fair-queue";
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_LENGTH } from "@/lib/kernel/password-limits";
import { aside } from "@/lib/kernel/turns";
import { isCommonPassword } from "./common-passwords";

/** The package's number for argon2id. Its enumeration does not exist at run time. */
const ARGON2ID = 2;

/** OWASP's stronger argon2id profile: 64 MiB, 3 passes, one lane (about 130 ms on two cores). */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/**
 * The limit on simultaneous hashes of 64 MiB. A fourth would take the last of libuv's four threads, which files, names
 * and the envelopes of passwords also need.
 */
const MAX_CONCURRENT_HASHES = 3;
/** Those of one caller, so that a place is left for the others. */
const MAX_CONCURRENT_HASHES_PER_CALLER = 2;
/** The limit on waiting hashes. Beyond it, the response would come too late. */
const MAX_QUEUED_HASHES = 200;
const MAX_QUEUED_HASHES_PER_CALLER = 100;
/** How long a caller waits whose hash is refused, in seconds. */
const RETRY_SECONDS = 5;

const WAITING = { waiting: MAX_QUEUED_HASHES, waitingPerCaller: MAX_QUEUED_HASHES_PER_CALLER };

const hashes = new FairQueue({
  running: MAX_CONCURRENT_HASHES,
  runningPerCaller: MAX_CONCURRENT_HASHES_PER_CALLER,
  ...WAITING,
});
/** The passwords of links: all of them together are one caller beside those who sign in, with one hash at a time. */
const linkHashes = new FairQueue({ running: 1, ...WAITING });

/** For whom a password is hashed. */
export interface HashCaller {
  /** Passwords of links, which strangers try, do not keep people from signing in. */
  lane: "sign-in" | "link";
  /** The hashes of different callers are calculated in turns: a network (`widestNetworkOf`) or a user. */
  id: string;
}

/** The console itself. */
const CONSOLE: HashCaller = { lane: "sign-in", id: "console" };

async function withHashSlot<T>({ lane, id }: HashCaller, work: () => Promise<T>): Promise<T> {
  const inLane = () => (lane === "link" ? linkHashes.run(id, () => hashes.run("links", work)) : hashes.run(id, work));
  try {
    return await aside(inLane);
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    if (!error.isOfCaller) throw new ApiError("unavailable", { retryAfter: RETRY_SECONDS });
    const params = { limit: MAX_QUEUED_HASHES_PER_CALLER, seconds: RETRY_SECONDS };
    throw new ApiError("rate_limited", { detailKey: "detailAtOnce", params, retryAfter: RETRY_SECONDS });
  }
}

/** How many passwords are hashed at the moment, and how many wait for it. */
export function passwordHashes(): { running: number; waiting: number } {
  // A hash of a link that waits in both queues is counted once: it runs in its own.
  return { running: hashes.running, waiting: hashes.waiting + linkHashes.waiting };
}

/** argon2id in PHC string form (RFC 9106). @throws as `verifyPassword` */
export function hashPassword(password: string, caller: HashCaller = CONSOLE): Promise<string> {
  return withHashSlot(caller, () => hash(password, PARAMETERS));
}

// Compared against if there is no user or no password, so that this takes as long as for a wrong password.
const DECOY = "$argon2id$v=19$m=65536,t=3,p=1$c2xpcHdheS1kZWNveS0wMQ$QnX0S1XKcU3SxvYxWdnDf0jfBJ1jGm1mZ5CiwXb3WIk";

/**
 * Whether a password matches a hash. Without a hash, it takes as long and does not match.
 * @throws ApiError rate_limited if too many hashes of the caller wait, unavailable if too many of all callers do
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  caller: HashCaller = CONSOLE,
): Promise<boolean> {
  const matches = await withHashSlot(caller, () => verify(passwordHash ?? DECOY, password));
  return matches && passwordHash !== null;
}

/** Whether a hash was made with weaker parameters than the current ones. */
export function needsRehash(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

/**
 * Refuses a new password that is too short, too long, common, or made of the user's or product's names
 * (NIST SP 800-63B-4, no composition rules).
 * @param names the person's names and e-mail, the product's name
 * @throws ApiError validation_failed
 */
export function requireGoodPassword(password: string, names: readonly string[]): void {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) throw invalidField("password", "passwordTooShort", { limit: MIN_PASSWORD_LENGTH });
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw invalidField("password", "passwordTooLong", { limit: MAX_PASSWORD_BYTES });
  }
  const folded = fold(password);
  if (isCommonPassword(folded) || new Set(folded).size < 4) throw invalidField("password", "passwordCommon");
  const rest = names
    .flatMap((name) => fold(name).split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part.length >= 3)
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, part) => left.replaceAll(part, ""), folded);
  if (rest !== folded && rest.replace(/[^\p{L}\p{N}]|\d/gu, "").length < 4) {
    throw invalidField("password", "passwordFromNames");
  }
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
