import type { AppTranslator } from "@/lib/kernel/i18n/translator";
import type { ParseIssue } from "./variable-files";

/** The characters of a key that a message shows. */
const SHOWN_CHARACTERS = 60;

/** Why a line cannot be imported, in words. A key that is wrong is named, so that it is found. */
export function issueMessage(t: AppTranslator, { code, key }: ParseIssue): string {
  if (code !== "key" || !key) return t(`importIssues.${code}`);
  const characters = [...key.replace(/\s+/g, " ")];
  const isLong = characters.length > SHOWN_CHARACTERS;
  const shown = characters.slice(0, SHOWN_CHARACTERS).join("");
  return t(`importIssues.${/\s/.test(key) ? "keySpaces" : "keyNamed"}`, { key: isLong ? `${shown}…` : shown });
}
