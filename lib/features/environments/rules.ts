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
interface ToolCommands {
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

/** How a build is published from CI, in the order of docs/ci.md: the integrations, the command-line tool, one request. */
export const CI_SYSTEMS = ["github", "gitlab", "bitrise", "fastlane", "gradle", "tool", "curl"] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

/** A step that publishes a build. */
interface CiStep {
  /** Shell commands that are run once, in the repository; null if there are none. */
  setup: string | null;
  /** What the pipeline contains. */
  code: string;
}

/**
 * A step that publishes a build, by CI system. It takes the API token from the system's secrets; the token is for one environment,
 * so a step names no other.
 */
export function ciSteps({ baseUrl, curl }: EnvironmentConfiguration["cli"]): Record<CiSystem, CiStep> {
  const files = (folder: string, names: readonly string[], source: string) =>
    [
      `mkdir -p ${folder}`,
      ...names.map((name) => `curl -fsSL ${shellWord(`${baseUrl}/cli/${source}/${name}`)} -o ${folder}/${name}`),
    ].join("\n");
  return {
    github: {
      setup: files(".github/actions/slipway", ["action.yml", "publish.mjs"], "github-action"),
      code: `- id: slipway
  uses: ./.github/actions/slipway
  with:
    console: ${baseUrl}
    token: \${{ secrets.SLIPWAY_TOKEN }}
    file: app/build/outputs/apk/release/app-release.apk
    notes: \${{ github.event.head_commit.message }}`,
    },
    gitlab: {
      setup: null,
      code: `include:
  - remote: ${baseUrl}/cli/gitlab/slipway.yml
    inputs:
      console: ${baseUrl}
      file: app-release.apk
      notes: $CI_COMMIT_MESSAGE`,
    },
    bitrise: {
      setup: files("bitrise/slipway", ["step.yml", "step.sh"], "bitrise"),
      code: `- path::./bitrise/slipway:
    inputs:
    - SLIPWAY_CONSOLE: ${baseUrl}
    - SLIPWAY_TOKEN: $SLIPWAY_TOKEN
    - SLIPWAY_FILE: $BITRISE_IPA_PATH
    - SLIPWAY_NOTES: $BITRISE_GIT_MESSAGE`,
    },
    fastlane: {
      setup: files("fastlane/actions", ["slipway.rb"], "fastlane"),
      code: `lane :beta do
  build_app(export_method: "ad-hoc")
  slipway(
    console: "${baseUrl}",
    notes: last_git_commit[:message]
  )
end`,
    },
    gradle: {
      setup: `curl -fsSLO ${shellWord(`${baseUrl}/cli/gradle/slipway.gradle.kts`)}
echo 'apply(from = rootProject.file("slipway.gradle.kts"))' >> app/build.gradle.kts`,
      code: shellCommand(
        "./gradlew :app:assembleRelease :app:publishToSlipway",
        `-Pslipway.console=${shellWord(baseUrl)}`,
        "-Pslipway.file=build/outputs/apk/release/app-release.apk",
        "-Pslipway.notes-from-git=true",
      ),
    },
    tool: {
      setup: null,
      code: `curl -fsSLO ${shellWord(`${baseUrl}/cli/slipway.mjs`)}
${shellCommand("node slipway.mjs upload build/app.ipa", `--console ${shellWord(baseUrl)}`, "--notes-from-git")}`,
    },
    curl: { setup: null, code: curl },
  };
}

/**
 * Puts some rows in another order: they take each other's places, and the others stay where they are.
 * @param rows all rows, in their order
 * @param ids some of them, in the new order
 */
export function movedEnvironments<Row extends { id: string }>(rows: readonly Row[], ids: readonly string[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const moved = new Set(ids);
  const next = ids.flatMap((id) => byId.get(id) ?? [])[Symbol.iterator]();
  return rows.map((row) => (moved.has(row.id) ? (next.next().value ?? row) : row));
}
