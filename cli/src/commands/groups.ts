import { buildCommand, buildRouteMap } from "@stricli/core";
import type { ImportGroupFlags, ListGroupsFlags, TellGroupsFlags } from "../actions/groups";
import type { Context } from "../lib/context";
import { appFlag, consoleFlag, environmentFlag, jsonFlag, parseName, switchFlag, textArgument } from "./flags";

const placeFlags = { console: consoleFlag, app: appFlag, environment: environmentFlag } as const;

const listCommand = buildCommand<ListGroupsFlags, [], Context>({
  loader: async () => (await import("../actions/groups")).listGroups,
  parameters: { flags: { ...placeFlags, json: jsonFlag } },
  docs: {
    brief: "List the groups of testers for the releases of an environment",
    fullDescription: "Shows how many members each has, and how many of them have not agreed yet.",
  },
});

const importCommand = buildCommand<ImportGroupFlags, [string, string], Context>({
  loader: async () => (await import("../actions/groups")).importGroup,
  parameters: {
    flags: {
      ...placeFlags,
      dryRun: switchFlag("Only say what an import would do"),
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [
        textArgument("group", "The group: its name or ID"),
        textArgument("file", "A CSV file with a column email, or with the email first; - for stdin"),
      ],
    },
  },
  docs: {
    brief: "Add the people of a CSV file to a group of testers",
    fullDescription: "Each is asked once by mail whether they agree. An import that is repeated adds nobody twice.",
  },
});

const tellCommand = buildCommand<TellGroupsFlags, [string], Context>({
  loader: async () => (await import("../actions/groups")).tellGroups,
  parameters: {
    flags: {
      console: consoleFlag,
      group: {
        kind: "parsed",
        parse: parseName,
        variadic: true,
        placeholder: "name",
        brief: "A group of testers: its name or ID; can be repeated",
      },
      noNotify: switchFlag("Give the groups access without telling them"),
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [textArgument("id", "The ID of the release")] },
  },
  docs: {
    brief: "Tell groups of testers about a release",
    fullDescription: "Each person is told once of a release. It needs the right to edit releases (release:update).",
  },
});

export const groupsRoutes = buildRouteMap({
  routes: { list: listCommand, import: importCommand, tell: tellCommand },
  docs: { brief: "Groups of testers" },
});
