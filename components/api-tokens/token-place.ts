/** The environment that a token is for, with its application. */
export type TokenPlace = {
  app: { id: string; name: string; identifier: string };
  environment: { id: string; name: string };
};

/** Who uses a token: a server or CI, or an app on one of the two systems. */
export type TokenPurpose = "server" | "ios" | "android";
