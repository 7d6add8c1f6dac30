import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { uploadInputs } from "@/cli/src/commands/publishing";
import { OUTPUTS, outputVariable } from "@/cli/src/lib/outputs";
import { projectDir } from "./files.mjs";

/** An input of the integrations for CI systems. */
export interface Input {
  name: string;
  brief: string;
  required: boolean;
  /** A credential: no command line, log or file has it. */
  secret: boolean;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What a shorter description than the option's fits better where no command line is. */
const BRIEFS: Record<string, string> = {
  console: "The address of the console, such as https://slipway.example.com",
  notesFile: "A file with the release notes",
  notesFromGit: "Whether the subjects of the commits since the last tag are the release notes: true or false",
  metadata: "Further entries of the release’s metadata, one key=value in a line",
  mandatory: "Whether apps that ask for updates must install it to go on: true or false",
};

/** The inputs: console, token, file, the options of `slipway upload`, and the hash of the tool. */
export const INPUTS: readonly Input[] = [
  { name: "console", brief: BRIEFS.console as string, required: true, secret: false },
  { name: "token", brief: "An API token of the environment", required: true, secret: true },
  { name: "file", brief: "The installer: an .ipa, .apk or .aab file", required: true, secret: false },
  ...Object.entries(uploadInputs)
    .filter(([name]) => name !== "console")
    .map(([name, { brief }]) => ({ name: kebab(name), brief: BRIEFS[name] ?? brief, required: false, secret: false })),
  {
    name: "tool-sha256",
    brief: "The SHA-256 of the command-line tool; by default the one that the console states",
    required: false,
    secret: false,
  },
];

const variableOf = (name: string) => `SLIPWAY_${name.replaceAll("-", "_").toUpperCase()}`;
const outputs = Object.entries(OUTPUTS).map(([name, { brief }]) => ({ name, brief, variable: outputVariable(name) }));

const yaml = (value: object) => stringify(value, { lineWidth: 0 }).trimEnd().split("\n");
const quoted = (text: string) => JSON.stringify(text);
const withoutToken = INPUTS.filter(({ secret }) => !secret);
const optional = (input: Input) => (input.required ? {} : { default: "" });

/** What a section of a file contains, by the file and the section. */
const SECTIONS: Record<string, Record<string, () => string[]>> = {
  "integrations/github-action/action.yml": {
    inputs: () =>
      INPUTS.flatMap((input) =>
        yaml({ [input.name]: { description: input.brief, required: input.required, ...optional(input) } }),
      ),
    outputs: () => outputs.flatMap(({ name, brief }) => yaml({ [name]: { description: brief } })),
  },
  "integrations/gitlab/slipway.yml": {
    inputs: () =>
      withoutToken.flatMap((input) => yaml({ [input.name]: { description: input.brief, ...optional(input) } })),
    variables: () => withoutToken.flatMap(({ name }) => yaml({ [variableOf(name)]: `$[[ inputs.${name} ]]` })),
    publish: publishProgram,
  },
  "integrations/bitrise/step.yml": {
    inputs: () =>
      INPUTS.flatMap(({ name, brief, required, secret }) =>
        yaml([
          {
            [variableOf(name)]: secret ? "$SLIPWAY_TOKEN" : "",
            opts: {
              title: name,
              summary: brief,
              is_required: required,
              ...(secret && { is_sensitive: true }),
            },
          },
        ]),
      ),
    outputs: () =>
      outputs.flatMap(({ variable, name, brief }) =>
        yaml([{ [variable]: null, opts: { title: name, summary: brief } }]),
      ),
  },
  "integrations/bitrise/step.sh": { publish: publishProgram },
  "integrations/fastlane/slipway.rb": {
    "shared-values": () => outputs.map(({ variable }) => `${variable} = :${variable}`),
    publish: publishProgram,
    options: () =>
      INPUTS.flatMap(({ name, brief, required, secret }) => [
        "FastlaneCore::ConfigItem.new(",
        `  key: :${name.replaceAll("-", "_")},`,
        `  env_name: ${quoted(variableOf(name))},`,
        `  description: ${quoted(brief)},`,
        ...(secret ? ["  sensitive: true,"] : []),
        ...(name === "file"
          ? [
              "  default_value: [:IPA_OUTPUT_PATH, :GRADLE_APK_OUTPUT_PATH, :GRADLE_AAB_OUTPUT_PATH].filter_map { |name| Actions.lane_context[name] }.first,",
              "  default_value_dynamic: true,",
            ]
          : []),
        "  skip_type_validation: true,",
        `  optional: ${!required}`,
        "),",
      ]),
    outputs: () => outputs.map(({ variable, brief }) => `[${quoted(variable)}, ${quoted(brief)}],`),
  },
  "integrations/gradle/slipway.gradle.kts": {
    inputs: () => withoutToken.map(({ name, brief }) => `${quoted(name)} to ${quoted(brief)},`),
    publish: publishProgram,
  },
  "docs/ci.md": {
    inputs: () => [
      "| input | |",
      "| --- | --- |",
      ...INPUTS.map(({ name, brief, required }) => `| \`${name}\` | ${brief}.${required ? " Required." : ""} |`),
    ],
    outputs: () => [
      "| output | |",
      "| --- | --- |",
      ...outputs.map(({ name, brief }) => `| \`${name}\` | ${brief}. |`),
    ],
  },
};

/** The files with sections that are made from the declarations of the tool. */
export const INTEGRATION_FILES = Object.keys(SECTIONS);

/** The program that downloads the tool and runs it, which single-file integrations carry. */
function publishProgram(): string[] {
  const source = readFileSync(join(projectDir, "integrations", "github-action", "publish.mjs"), "utf8");
  return source.trimEnd().split("\n");
}

/**
 * Replaces the sections of an integration. A section lies between lines with `<name>` and `</name>` and has the indentation of
 * the first.
 * @throws Error if the file lacks a section
 */
export function withSections(path: string, text: string): string {
  return Object.entries(SECTIONS[path] ?? {}).reduce((result, [name, content]) => {
    const section = new RegExp(`^( *)(.*<${name}>.*\\n)(?:.*\\n)*?( *(?:#|//|<!--) ?</${name}>)`, "m");
    if (!section.test(result)) throw new Error(`${path} has no section ${name}`);
    return result.replace(section, (_, indentation: string, start: string, end: string) => {
      const lines = content().map((line) => (line === "" ? "" : `${indentation}${line}`));
      return `${indentation}${start}${lines.join("\n")}\n${end}`;
    });
  }, text);
}
