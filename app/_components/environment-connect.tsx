import { PlaceToken } from "@/components/api-tokens/place-token";
import { Connect } from "@/components/environments/connect";
import { call } from "@/lib/api/call";
import { getPublicKey } from "@/lib/features/config/operations/get-public-key";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { EnvironmentPage, type LoadedEnvironment } from "./environment-page";

/** What CI, a server, a mobile app and a command line need to connect to an environment. */
export async function EnvironmentConnect(loaded: LoadedEnvironment) {
  const { app, environment, isAdmin } = loaded;
  const [{ configuration }, { keys }] = await Promise.all([
    call(getEnvironmentApp, { id: environment.id }),
    call(getPublicKey, {}),
  ]);
  const place = {
    app: { id: app.id, name: app.name, identifier: app.identifier },
    environment: { id: environment.id, name: environment.name },
  };
  return (
    <EnvironmentPage {...loaded} tab="connect">
      <Connect
        configuration={configuration}
        publicKey={keys.find(({ use }) => use === "sig")?.x as string}
        // Only administrators create tokens.
        token={isAdmin ? <PlaceToken place={place} /> : null}
      />
    </EnvironmentPage>
  );
}
