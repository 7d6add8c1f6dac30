export type ExampleCommand = {
  /** The console's address, without a path. */
  origin: string;
  token: string;
  appIdentifier: string;
  environment: { id: string; name: string };
  identifiers: readonly string[];
  /** What changed, for the example's release. */
  description: string;
};

/** A shell command for servers and CI: publishes a release with a token. */
export function publishCommand({ origin, token, appIdentifier, environment, description }: ExampleCommand): string {
  return continued([
    `curl --fail-with-body ${quoted(`${origin}/api/apps/create-testing-deploy`)}`,
    `-H ${quoted(`Authorization: Bearer ${token}`)}`,
    // --form-string, as --form gives a meaning to @, < and ;
    `--form-string ${quoted(`app=${appIdentifier}`)}`,
    `--form-string ${quoted(`environment=${environment.name}`)}`,
    `--form-string ${quoted(`description=${description}`)}`,
    `-F ${quoted("file=@app.ipa")}`,
  ]);
}

/** A shell command that an app's token answers: reads its environment, as an app with one of its identifiers. */
export function readCommand({ origin, token, environment, identifiers }: ExampleCommand): string {
  return continued([
    `curl --fail-with-body ${quoted(`${origin}/api/apps/get-environment-app?id=${environment.id}`)}`,
    `-H ${quoted(`Authorization: Bearer ${token}`)}`,
    ...identifiers.slice(0, 1).map((identifier) => `-H ${quoted(`X-App-Identifier: ${identifier}`)}`),
  ]);
}

function continued(parts: readonly string[]): string {
  return parts.join(" \\\n  ");
}

/** A text as one word of a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
