import { randomBytes } from "node:crypto";
import type { ConsoleClient } from "./console-client";

/** An application with one environment, of which no other test knows. */
export interface Place {
  appId: string;
  appName: string;
  identifier: string;
  environmentId: string;
  environmentName: string;
}

/** Makes an application with an environment. */
export async function makePlace(admin: ConsoleClient): Promise<Place> {
  const word = randomBytes(5).toString("hex");
  const appName = `Orbit ${word}`;
  const identifier = `com.example.orbit${word}`;
  const environmentName = `Staging ${word}`;
  const app = await admin.command("apps/create-app", { name: appName, identifier, status: "active" });
  const environment = await admin.command("apps/create-environment-app", {
    appId: app.id,
    name: environmentName,
    status: "active",
  });
  return { appId: app.id, appName, identifier, environmentId: environment.id, environmentName };
}
