/** The minimum length of a new password, in Unicode code points (NIST SP 800-63B-4, without composition rules). */
export const MIN_PASSWORD_LENGTH = 12;

/** The maximum size of a password, in bytes of UTF-8. */
export const MAX_PASSWORD_BYTES = 1_024;

/** Whether a password has the minimum number of characters, counted in code points. */
export function isLongEnough(password: string): boolean {
  return [...password].length >= MIN_PASSWORD_LENGTH;
}
