import { shellCommand, shellWord } from "@/lib/kernel/shell";
import type { EnvironmentConfiguration } from "./schema";

const AUTHORIZATION = '--header "Authorization: Bearer $SLIPWAY_TOKEN"';

/**
 * The values that connect a server, a mobile app and the command line to an environment, for copying.
 * @param baseUrl the console's public URL, without a path or trailing slash
 */
export function configurationOf(
  baseUrl: string,
  app: { id: string; identifier: string },
  environment: { id: string; name: string; identifiers: readonly string[] },
): EnvironmentConfiguration {
  const place = {
    baseUrl,
    applicationId: app.id,
    applicationIdentifier: app.identifier,
    environmentId: environment.id,
    environmentName: environment.name,
  };
  const releasesUrl = `${baseUrl}/api/apps/get-testing-deploys?environmentId=${environment.id}`;
  const uploadUrl = `${baseUrl}/api/apps/create-testing-deploy`;
  return {
    server: {
      ...place,
      releasesUrl,
      uploadUrl,
      curl: shellCommand("curl --fail-with-body", AUTHORIZATION, shellWord(releasesUrl)),
    },
    mobile: {
      ...place,
      releasesUrl,
      identifierHeader: "X-App-Identifier",
      identifiers: [...new Set([app.identifier, ...environment.identifiers])],
    },
    cli: {
      ...place,
      uploadUrl,
      // --form-string sends the text unchanged; --form would read a leading @ or < as a file name.
      curl: shellCommand(
        "curl --fail-with-body",
        AUTHORIZATION,
        `--form-string ${shellWord(`app=${app.identifier}`)}`,
        `--form-string ${shellWord(`environment=${environment.name}`)}`,
        '--form-string "description=$DESCRIPTION"',
        '--form "file=@\\"$INSTALLER\\""',
        shellWord(uploadUrl),
      ),
    },
  };
}

/** Shell commands of a person with the command-line tool, which the console serves. */
export interface ToolCommands {
  /** Fetches the tool and signs in. */
  install: string;
  publish: string;
  list: string;
}

/** @returns the commands for an environment */
export function toolCommands({ baseUrl, ...place }: EnvironmentConfiguration["cli"]): ToolCommands {
  const { applicationIdentifier, environmentId, environmentName } = place;
  // A name that begins with a dash would be an option.
  const environment = environmentName.startsWith("-") ? environmentId : environmentName;
  const options = [`--app ${shellWord(applicationIdentifier)}`, `--environment ${shellWord(environment)}`];
  return {
    install: `curl -fsSLO ${shellWord(`${baseUrl}/cli/slipway.mjs`)}\nnode slipway.mjs login ${shellWord(baseUrl)}`,
    publish: shellCommand("node slipway.mjs upload build/app.ipa", ...options),
    list: shellCommand("node slipway.mjs releases list", ...options),
  };
}

/** The systems for which `ciSteps` has a step. */
export const CI_SYSTEMS = ["github", "gitlab", "shell"] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

/**
 * A step that publishes a build, by CI system. It takes the API token from the system's secrets.
 * @param publish the shell command that uploads `$INSTALLER` with the text `$DESCRIPTION`
 */
export function ciSteps(publish: string): Record<CiSystem, string> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of GitHub
  const escaped = (text: string) => text.replaceAll("${{", "${{ '${{' }}");
  const indented = (spaces: number) => publish.replaceAll(/^/gm, " ".repeat(spaces));
  return {
    // GitHub evaluates `${{ … }}` everywhere, also in a name within the command.
    github: `- name: Publish to Slipway
  env:
    SLIPWAY_TOKEN: \${{ secrets.SLIPWAY_TOKEN }}
    INSTALLER: build/app.ipa
    DESCRIPTION: \${{ github.event.head_commit.message || github.ref_name }}
  run: |
${escaped(indented(4))}`,
    gitlab: `publish:
  stage: deploy
  variables:
    INSTALLER: build/app.ipa
  script:
    - export DESCRIPTION="$CI_COMMIT_MESSAGE"
    - |
${indented(6)}`,
    shell: publish,
  };
}
