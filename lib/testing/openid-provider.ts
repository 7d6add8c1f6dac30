import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type ClientMetadata, type Configuration, Provider } from "oidc-provider";
import { env } from "@/lib/env";

/** A real OpenID provider on the loopback interface. */
export interface OpenIdProvider {
  /** `http://127.0.0.1:<port>` */
  issuer: string;
  provider: Provider;
  /** Answers the next requests itself where it wants to; until it is taken away again. */
  intercept: RequestListener | null;
  stop(): Promise<void>;
}

/** A client of this console at a provider. */
export function aClient(provider: string, more: Partial<ClientMetadata> = {}): ClientMetadata {
  return {
    client_id: "slipway",
    client_secret: "the right secret",
    redirect_uris: [`${env.APP_URL}/api/sso/callback/${provider}`],
    token_endpoint_auth_method: "client_secret_post",
    ...more,
  };
}

/** Starts one. @param configuration of oidc-provider: its clients above all */
export async function startOpenIdProvider(configuration: Configuration): Promise<OpenIdProvider> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => (started.intercept ?? listener)(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "1" };
  const provider = new Provider(issuer, { jwks: { keys: [key] }, cookies: { keys: ["test"] }, ...configuration });
  listener = provider.callback();
  const started: OpenIdProvider = {
    issuer,
    provider,
    intercept: null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return started;
}
