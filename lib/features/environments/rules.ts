import type { EnvironmentConfiguration } from "./schema";

/** A text as one word of a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command over several lines, one option on each. */
function command(...words: string[]): string {
  return words.join(" \\\n  ");
}

const AUTHORIZATION = '--header "Authorization: Bearer $SLIPWAY_TOKEN"';

/**
 * What a person copies into their server, mobile app and command line to connect them to an environment.
 * @param baseUrl the console's public address, without a path and without a slash at its end
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
      curl: command("curl --fail-with-body", AUTHORIZATION, shellWord(releasesUrl)),
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
      // --form-string takes its text as it is; --form would read a leading @ or < as a file's name.
      curl: command(
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
