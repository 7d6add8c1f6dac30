import { buildCommand, buildRouteMap } from "@stricli/core";
import type { ListCertificatesFlags, PullCertificateFlags } from "../actions/certificates";
import type { RunFlags } from "../actions/run";
import type { Context } from "../lib/context";
import type { EnvironmentFlags } from "../lib/environment";
import {
  type CopyFlags,
  type DiffFlags,
  type JsonFlags,
  type PullFlags,
  type PushFlags,
  VARIABLE_FORMATS,
  type VariableKind,
} from "../lib/variable-types";
import { appFlag, consoleFlag, environmentFlag, jsonFlag, outputFlags, switchFlag, textArgument } from "./flags";

const place = { console: consoleFlag, app: appFlag, environment: environmentFlag } as const;

const format = {
  kind: "enum",
  values: VARIABLE_FORMATS,
  optional: true,
  brief: "The format of the file; by default by its name",
} as const;
const replace = switchFlag("Delete the variables that the file does not have");
const file = textArgument("file", "The file; - for stdin");
const key = textArgument("key", "The key of the variable");

/** The commands for development variables, or for secure ones. */
function variableRoutes(kind: VariableKind, words: { one: string; many: string }) {
  const actions = async () => (await import("../actions/variables")).variableActions(kind);
  const isSecret = kind === "secure-variable";
  const confirmation = isSecret ? " People confirm with a code of their authenticator app." : "";
  return buildRouteMap({
    routes: {
      list: buildCommand<JsonFlags, [], Context>({
        loader: async () => (await actions()).list,
        parameters: { flags: { ...place, json: jsonFlag } },
        docs: { brief: `List the ${words.many} of an environment${isSecret ? ", without their values" : ""}` },
      }),
      get: buildCommand<EnvironmentFlags, [string], Context>({
        loader: async () => (await actions()).get,
        parameters: { flags: place, positional: { kind: "tuple", parameters: [key] } },
        docs: {
          brief: `Write the value of a ${words.one} to stdout`,
          ...(confirmation && { fullDescription: confirmation.trim() }),
        },
      }),
      set: buildCommand<EnvironmentFlags, string[], Context>({
        loader: async () => (await actions()).set,
        parameters: {
          flags: place,
          positional: {
            kind: "array",
            minimum: 1,
            parameter: textArgument(
              isSecret ? "key" : "key=value",
              isSecret
                ? "The key; its value is asked for, or read from stdin"
                : "Key and value; without a value, it is asked for or read from stdin",
            ),
          },
        },
        docs: { brief: `Set ${words.many}, all in one version of the configuration` },
      }),
      unset: buildCommand<EnvironmentFlags, string[], Context>({
        loader: async () => (await actions()).unset,
        parameters: { flags: place, positional: { kind: "array", minimum: 1, parameter: key } },
        docs: { brief: `Delete ${words.many}` },
      }),
      pull: buildCommand<PullFlags, [], Context>({
        loader: async () => (await actions()).pull,
        parameters: {
          flags: {
            ...place,
            format: { kind: "enum", values: VARIABLE_FORMATS, default: "dotenv", brief: "The format" },
            ...outputFlags,
          },
        },
        docs: {
          brief: `Write the active ${words.many} as .env, JSON or YAML`,
          fullDescription: `Writes the values, too: to stdout, or with --output to a file that you alone can read.${confirmation}`,
        },
      }),
      push: buildCommand<PushFlags, [string], Context>({
        loader: async () => (await actions()).push,
        parameters: {
          flags: { ...place, format, replace, yes: switchFlag("Do not ask") },
          positional: { kind: "tuple", parameters: [file] },
        },
        docs: {
          brief: `Set the ${words.many} of a .env, JSON or YAML file`,
          fullDescription: "Shows the differences first and asks. If a line is wrong, nothing is changed.",
        },
      }),
      diff: buildCommand<DiffFlags, [string], Context>({
        loader: async () => (await actions()).diff,
        parameters: { flags: { ...place, format, replace }, positional: { kind: "tuple", parameters: [file] } },
        docs: { brief: "Show what `push` would change" },
      }),
      copy: buildCommand<CopyFlags, string[], Context>({
        loader: async () => (await actions()).copy,
        parameters: {
          flags: {
            ...place,
            to: {
              kind: "parsed",
              parse: (name: string) => name,
              placeholder: "name",
              brief: "The environment to copy to: its name or ID",
            },
            dryRun: switchFlag("Only show what would change"),
            yes: switchFlag("Do not ask"),
          },
          positional: { kind: "array", parameter: key },
        },
        docs: {
          brief: `Copy ${words.many} to another environment of the application`,
          fullDescription: `Copies the named ones, or all, in one version of the configuration. Nothing is deleted there. Shows the differences first and asks. API tokens belong to one environment, so they copy nothing.${confirmation}`,
        },
      }),
    },
    docs: { brief: `Read and change the ${words.many} of an environment` },
  });
}

export const variablesRoutes = variableRoutes("dev-variable", {
  one: "development variable",
  many: "development variables",
});
export const secretsRoutes = variableRoutes("secure-variable", { one: "secure variable", many: "secure variables" });

export const certificatesRoutes = buildRouteMap({
  routes: {
    list: buildCommand<ListCertificatesFlags, [], Context>({
      loader: async () => (await import("../actions/certificates")).list,
      parameters: { flags: { ...place, json: jsonFlag } },
      docs: { brief: "List the certificates of an environment" },
    }),
    pull: buildCommand<PullCertificateFlags, [string], Context>({
      loader: async () => (await import("../actions/certificates")).pull,
      parameters: {
        flags: {
          ...place,
          ...outputFlags,
          json: jsonFlag,
        },
        positional: { kind: "tuple", parameters: [textArgument("key", "The key of the certificate")] },
      },
      docs: {
        brief: "Write the file of a certificate",
        fullDescription:
          "Writes the file, which you alone can read, under its own name to this folder or the one that --output names. With --json, writes everything, with the password, to stdout. People confirm with a code of their authenticator app.",
      },
    }),
  },
  docs: { brief: "Read the certificates of an environment" },
});

export const runCommand = buildCommand<RunFlags, string[], Context>({
  loader: async () => (await import("../actions/run")).runCommand,
  parameters: {
    flags: {
      ...place,
      secrets: switchFlag("The secure variables, too"),
      allow: {
        kind: "parsed",
        parse: (name: string) => name,
        optional: true,
        variadic: true,
        placeholder: "name",
        brief:
          "A variable that the command gets although it changes what programs do or slipway.json does not list it; can be repeated",
      },
    },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: textArgument("command", "The command with its arguments, after --"),
    },
  },
  docs: {
    brief: "Start a command with the variables of an environment",
    fullDescription:
      'The variables are in the environment of the command and not on disk. Signals are passed on, except SIGINT and SIGQUIT in a terminal, which sends them to the command itself. The exit code is that of the command. SLIPWAY_TOKEN is not passed on.\nIf slipway.json lists "variables", the command is not started if the environment has others. Without such a list, it is not started if a variable is known to make programs run other code or read another configuration, such as PATH, LD_PRELOAD, NODE_OPTIONS, TAR_OPTIONS or HTTPS_PROXY. --allow names exceptions.',
  },
});
