import "server-only";
import { dictionary } from "@zxcvbn-ts/language-common";

/** The passwords that are guessed first, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].flatMap((password) => {
    const folded = String(password).toLowerCase();
    // People double or number a common password to reach the minimum length.
    return [folded, folded + folded, `${folded}123`, `${folded}1234`, `${folded}12345`, `${folded}123456`];
  }),
);
