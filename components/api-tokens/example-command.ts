import { shellCommand, shellWord } from "@/lib/kernel/shell";

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
  return shellCommand(
    `curl --fail-with-body ${shellWord(`${origin}/api/apps/create-testing-deploy`)}`,
    `-H ${shellWord(`Authorization: Bearer ${token}`)}`,
    // `--form` interprets @, < and ;, and `--form-string` does not.
    `--form-string ${shellWord(`app=${appIdentifier}`)}`,
    `--form-string ${shellWord(`environment=${environment.name}`)}`,
    `--form-string ${shellWord(`description=${description}`)}`,
    `-F ${shellWord("file=@app.ipa")}`,
  );
}

/** A shell command for an app's token: reads its environment and sends one of the app's identifiers. */
export function readCommand({ origin, token, environment, identifiers }: ExampleCommand): string {
  return shellCommand(
    `curl --fail-with-body ${shellWord(`${origin}/api/apps/get-environment-app?id=${environment.id}`)}`,
    `-H ${shellWord(`Authorization: Bearer ${token}`)}`,
    ...identifiers.slice(0, 1).map((identifier) => `-H ${shellWord(`X-App-Identifier: ${identifier}`)}`),
  );
}
