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
