import "server-only";
import { hostname } from "node:os";
import packageJson from "@/package.json";
import { env } from "./env";
import { newId } from "./ids";
import { processSingleton } from "./process-singleton";

/** The version of this console. */
export const VERSION = packageJson.version;

const instance = processSingleton("instance", () => ({ id: newId(), startedAt: new Date() }));

/** The ID of this process, which differs after each start, and when it started. */
export function thisInstance(): { id: string; startedAt: Date } {
  return instance.get();
}

/** The name of this instance: the host's name, which is unique for containers and pods, and the port. */
export function instanceName(): string {
  return `${hostname()}:${env.PORT}`;
}
