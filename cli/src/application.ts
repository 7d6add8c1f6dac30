import { type Application, buildApplication, buildRouteMap, text_en } from "@stricli/core";
import { bisectCommand } from "./commands/bisect";
import { certificatesRoutes, runCommand, secretsRoutes, variablesRoutes } from "./commands/configuration";
import { devicesRoutes } from "./commands/devices";
import { completionCommand, helpCommand, proposeCommand } from "./commands/general";
import { groupsRoutes } from "./commands/groups";
import { inspectCommand, uploadCommand } from "./commands/publishing";
import { promoteCommand, releasesRoutes } from "./commands/releases";
import { doctorCommand, loginCommand, logoutCommand, whoamiCommand } from "./commands/session";
import { shareCommand } from "./commands/sharing";
import { webhooksRoutes } from "./commands/webhooks";
import { isRouteMap, type Target } from "./lib/command-page";
import type { Context } from "./lib/context";
import { helpText } from "./lib/help";
import { describeFailure } from "./lib/report";
import { VERSION } from "./lib/version";
import { unknownCommand, wrongCommandLine } from "./lib/wording";

/** All commands. Documentation, man page and completion are made from this declaration. */
export const root = buildRouteMap({
  routes: {
    login: loginCommand,
    logout: logoutCommand,
    whoami: whoamiCommand,
    upload: uploadCommand,
    inspect: inspectCommand,
    promote: promoteCommand,
    releases: releasesRoutes,
    bisect: bisectCommand,
    share: shareCommand,
    groups: groupsRoutes,
    devices: devicesRoutes,
    variables: variablesRoutes,
    secrets: secretsRoutes,
    certificates: certificatesRoutes,
    webhooks: webhooksRoutes,
    run: runCommand,
    doctor: doctorCommand,
    completion: completionCommand,
    help: helpCommand,
    propose: proposeCommand,
  },
  docs: {
    brief: "Publish, list and compare test builds of mobile apps",
    hideRoute: { propose: true },
  },
});

/** Replaces the help of the library, whose lines are as long as their texts. */
function withOwnHelp(target: Target): void {
  const formatHelp: Target["formatHelp"] = ({ prefix }) => helpText(target, prefix, process.stdout.columns || 80);
  Object.assign(target, { formatHelp });
  if (isRouteMap(target)) for (const entry of target.getAllEntries()) withOwnHelp(entry.target);
}
withOwnHelp(root as Target);

export const application: Application<Context> = buildApplication<Context>(root, {
  name: "slipway",
  versionInfo: { currentVersion: VERSION },
  scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
  // What is written is painted by the outputs of the context.
  documentation: { disableAnsiColor: true },
  localization: {
    text: {
      ...text_en,
      noCommandRegisteredForInput: ({ input, corrections }) => unknownCommand(input, corrections),
      exceptionWhileParsingArguments: wrongCommandLine,
      exceptionWhileRunningCommand: describeFailure,
      commandErrorResult: describeFailure,
    },
  },
});
