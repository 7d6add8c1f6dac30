import "server-only";
import { dictionary } from "@zxcvbn-ts/language-common";

/** Passwords that everybody tries first, folded to lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].flatMap((password) => {
    const folded = String(password).toLowerCase();
    // Doubled and numbered forms are what a length rule makes of a common password.
    return [folded, folded + folded, `${folded}123`, `${folded}1234`, `${folded}12345`, `${folded}123456`];
  }),
);
