import type { Operation } from "@/lib/api/operation";
import { SCOPES } from "@/lib/permissions/scopes";
import { aToken, type Caller, send } from "./console";
import type { Sample } from "./sample";
import type { World } from "./world";

/** A server's token of the world's environment with every scope. */
export function aServer({ app, environmentId }: Pick<World, "app" | "environmentId">): ReturnType<typeof aToken> {
  return aToken({ appId: app.appId, environmentId, scopes: [...SCOPES] });
}

/** A sample of an operation for apps and servers: a server that has not called before sends it. */
export function clientSample(
  operation: Operation,
  input: Record<string, unknown> = {},
  prepare: (world: World) => Promise<unknown> = async () => {},
): Sample {
  return {
    operation,
    input: () => input,
    arrange: async (world, owner?: Caller) => {
      await prepare(world);
      const caller = owner ?? (await aServer(world));
      return (sender = caller) => send(operation, sender, input);
    },
  };
}
