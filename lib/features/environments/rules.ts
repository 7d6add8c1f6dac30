import type { EnvironmentConfiguration } from "./schema";

/** Quotes a string as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command over several lines, one option on each. */
function command(...words: string[]): string {
  return words.join(" \\\n  ");
}

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
      // --form-string sends the text unchanged; --form would read a leading @ or < as a file name.
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
