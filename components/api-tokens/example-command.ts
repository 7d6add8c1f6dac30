export type ExampleCommand = {
  /** The console's address, without a path. */
  origin: string;
  token: string;
  appIdentifier: string;
  environment: { id: string; name: string };
  identifiers: readonly string[];
  /** The description of the example release. */
  description: string;
};

/** A shell command for servers and CI that publishes a release with a token. */
export function publishCommand({ origin, token, appIdentifier, environment, description }: ExampleCommand): string {
  return continued([
    `curl --fail-with-body ${quoted(`${origin}/api/apps/create-testing-deploy`)}`,
    `-H ${quoted(`Authorization: Bearer ${token}`)}`,
    // `--form` interprets @, < and ;, and `--form-string` does not.
    `--form-string ${quoted(`app=${appIdentifier}`)}`,
    `--form-string ${quoted(`environment=${environment.name}`)}`,
    `--form-string ${quoted(`description=${description}`)}`,
    `-F ${quoted("file=@app.ipa")}`,
  ]);
}

/** A shell command for an app's token: reads its environment and sends one of the app's identifiers. */
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

/** Quotes any text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
