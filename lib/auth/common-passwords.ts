import "server-only";
import { dictionary } from "@zxcvbn-ts/language-common";

/** What people append to a common password to reach the minimum length. */
const SUFFIXES = ["123", "1234", "12345", "123456"];

let common: ReadonlySet<string> | undefined;

/**
 * Whether a password is one of those that are guessed first, or one of them doubled or numbered.
 * @param password in lower case
 */
export function isCommonPassword(password: string): boolean {
  // Few processes check a password, and tens of thousands of texts take time and memory.
  common ??= new Set(dictionary["passwords-common"].map((one) => String(one).toLowerCase()));
  const half = password.slice(0, password.length / 2);
  const numbered = SUFFIXES.filter((suffix) => password.endsWith(suffix)).map((suffix) =>
    password.slice(0, -suffix.length),
  );
  const origins = [password, ...numbered, ...(half + half === password ? [half] : [])];
  return origins.some((origin) => common?.has(origin));
}
