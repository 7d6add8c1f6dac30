import { shellWord } from "@/lib/kernel/shell";
import dart from "./examples/configuration.dart?raw";
import go from "./examples/configuration.go?raw";
import java from "./examples/configuration.java?raw";
import kotlin from "./examples/configuration.kt?raw";
import typescript from "./examples/configuration.mts?raw";
import python from "./examples/configuration.py?raw";
import curl from "./examples/configuration.sh?raw";
import swift from "./examples/configuration.swift?raw";
import updateCsharp from "./examples/update.cs?raw";
import updateDart from "./examples/update.dart?raw";
import updateKotlin from "./examples/update.kt?raw";
import updateSwift from "./examples/update.swift?raw";
import updateReactNative from "./examples/update.ts.txt?raw";

/** Programs that read an environment's configuration, by language. They contain `SAMPLE_VALUES`. */
export const EXAMPLES = { curl, typescript, python, go, java, kotlin, swift, dart } as const;
export type ExampleLanguage = keyof typeof EXAMPLES;

/** What an example is filled with. The API token is not among it: the code reads it from its surroundings. */
export interface ExampleValues {
  /** The console's public URL, without a path. */
  baseUrl: string;
  environmentName: string;
  /** The Ed25519 key that signs the responses: `x` of its JWK. */
  publicKey: string;
  /** What the code sends as `X-App-Identifier`. A token with the identifier `server` needs none: null. */
  identifier: string | null;
}

/** The values in the files of `examples/`. */
export const SAMPLE_VALUES = {
  baseUrl: "https://slipway.example.com",
  environmentName: "Staging",
  publicKey: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  identifier: "com.acme.app",
} as const satisfies ExampleValues;

/** The example in a language with the values of an environment. */
export function exampleWith(language: ExampleLanguage, values: ExampleValues): string {
  const example = EXAMPLES[language];
  const code = values.identifier === null ? example.replace(/^.*X-App-Identifier.*\n/m, "") : example;
  return withValues(language, code, { ...values, identifier: values.identifier ?? "" });
}

/** Replaces the literals of sample values in code by those of other values. */
function withValues(
  language: LiteralLanguage,
  code: string,
  values: Partial<Record<keyof typeof SAMPLE_VALUES, string>>,
): string {
  const literals = new Map(
    (Object.keys(SAMPLE_VALUES) as (keyof typeof SAMPLE_VALUES)[]).flatMap((name) => {
      const value = values[name];
      return value === undefined
        ? []
        : [[stringLiteral(language, SAMPLE_VALUES[name]), stringLiteral(language, value)] as const];
    }),
  );
  // In one pass, because a name may contain another literal.
  const samples = [...literals.keys()].map((literal) => literal.replaceAll(".", "\\.")).join("|");
  return code.replace(new RegExp(samples, "g"), (literal) => literals.get(literal) as string);
}

/** Functions of apps that find out whether there is a newer release, by platform. They contain values of `SAMPLE_VALUES`. */
export const UPDATE_EXAMPLES = {
  swift: updateSwift,
  kotlin: updateKotlin,
  dart: updateDart,
  reactNative: updateReactNative,
  csharp: updateCsharp,
} as const;
export type UpdateLanguage = keyof typeof UPDATE_EXAMPLES;

/** The function for a platform with the console's address and key. The app itself knows its version and identifier. */
export function updateExampleWith(
  language: UpdateLanguage,
  { baseUrl, publicKey }: Pick<ExampleValues, "baseUrl" | "publicKey">,
): string {
  return withValues(language, UPDATE_EXAMPLES[language], { baseUrl, publicKey });
}

/** A language in which `stringLiteral` writes. */
type LiteralLanguage = ExampleLanguage | UpdateLanguage;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Control characters, line separators and what changes how code is displayed, such as its direction. */
const INVISIBLE = /(?![\u{10000}-\u{10ffff}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text as a string literal of a language; a surrogate without its pair becomes U+FFFD. */
export function stringLiteral(language: LiteralLanguage, text: string): string {
  const wellFormed = text.toWellFormed();
  if (language === "curl") return shellWord(wellFormed);
  const quote = language === "dart" ? "'" : '"';
  const interpolates = language === "dart" || language === "kotlin";
  const escaped = wellFormed
    .replace(/[\\'"$]/g, (char) =>
      char === "\\" || char === quote || (char === "$" && interpolates) ? `\\${char}` : char,
    )
    .replace(INVISIBLE, (char) => {
      const hex = char.charCodeAt(0).toString(16).padStart(4, "0");
      return SHORT_ESCAPES[char] ?? (language === "swift" ? `\\u{${hex}}` : `\\u${hex}`);
    });
  return quote + escaped + quote;
}
