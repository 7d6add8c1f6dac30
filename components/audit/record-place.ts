/** The application and environment of an audit record as one text. */
export function placeText({ app, environment }: { app: string; environment: string | null }): string {
  return environment === null ? app : `${app} › ${environment}`;
}
