import { plainText } from "../encoding/text";

/** The reasons for which symbols are refused, each with the names of its parameters. */
export const SYMBOLS_ERRORS = {
  file_empty: [],
  archive_unreadable: [],
  archive_too_many_entries: ["limit"],
  archive_unsafe: ["name"],
  archive_encrypted: ["name"],
  dsym_missing: [],
  dsym_damaged: ["name"],
  dsym_too_large: ["limitMb"],
  mapping_not_text: [],
  mapping_without_classes: [],
  mapping_too_large: ["limitMb"],
  symbols_timed_out: ["seconds"],
} as const satisfies Record<string, readonly string[]>;

/** A stable code for why symbols are refused. */
export type SymbolsErrorReason = keyof typeof SYMBOLS_ERRORS;

const MAX_PARAM_LENGTH = 120;

/** The refusal of symbols. The application translates `reason` and `params`; `message` is for developers. */
export class SymbolsError extends Error {
  override readonly name = "SymbolsError";
  readonly params: Readonly<Record<string, string | number>>;

  constructor(
    readonly reason: SymbolsErrorReason,
    params: Record<string, string | number> = {},
  ) {
    super(reason);
    this.params = Object.fromEntries(
      Object.entries(params).map(([key, value]) => [
        key,
        typeof value === "string" ? plainText(value, MAX_PARAM_LENGTH) : value,
      ]),
    );
  }
}
