import {
  AliasNotFoundError,
  ArgumentParseError,
  EnumValidationError,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from "@stricli/core";

function meant(corrections: readonly string[]): string {
  return corrections.length > 0 ? ` Did you mean ${corrections.join(" or ")}?` : "";
}

/** Says that there is no such command. @param corrections similar ones, in code marks */
export function unknownCommand(input: string, corrections: readonly string[]): string {
  return `There is no command "${input}".${meant(corrections) || " `slipway --help` lists them."}`;
}

/** Says what is wrong with a command line. */
export function wrongCommandLine(error: unknown): string {
  if (error instanceof FlagNotFoundError) {
    return `There is no option --${error.input}.${meant(error.corrections.map((name) => `--${name}`))}`;
  }
  if (error instanceof AliasNotFoundError) return `There is no option -${error.input}.`;
  if (error instanceof ArgumentParseError) {
    const { externalFlagNameOrPlaceholder: name, input, exception } = error;
    return `"${input}" is wrong for ${name}: ${exception instanceof Error ? exception.message : String(exception)}.`;
  }
  if (error instanceof EnumValidationError) {
    return `"${error.input}" is wrong for --${error.externalFlagName}: write ${error.values.join(" or ")}.`;
  }
  if (error instanceof UnsatisfiedFlagError) return `--${error.externalFlagName} needs a value.`;
  if (error instanceof UnsatisfiedPositionalError) return `<${error.placeholder}> is missing.`;
  if (error instanceof UnexpectedPositionalError) return `"${error.input}" is too much: the command does not take it.`;
  if (error instanceof UnexpectedFlagError) return `--${error.externalFlagName} is given twice.`;
  if (error instanceof InvalidNegatedFlagSyntaxError) return `--${error.externalFlagName} takes no value.`;
  return error instanceof Error ? error.message : String(error);
}
