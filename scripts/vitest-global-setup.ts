import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { createRunDir, startThrowawayPostgres, type ThrowawayPostgres } from "../testing/throwaway-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL at which workers request databases; see `scripts/test-database.ts`. */
    databaseBroker: string;
    /** A temporary folder that is removed after the run. */
    runDir: string;
  }
}

/** Creates databases for the workers, one at a time, on a server that starts on the first request. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runDir = await createRunDir();
  const path = `/${randomUUID()}`;
  let postgres: Promise<ThrowawayPostgres> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const answer = async (method: string | undefined, body: { empty?: boolean; url?: string }) => {
    postgres ??= startThrowawayPostgres(runDir, { inMemory: true });
    const server = await postgres;
    if (method === "POST") return server.createDatabase({ empty: body.empty });
    await server.dropDatabase(String(body.url));
    return "";
  };
  // No keep-alive time-out: a worker that was busy for longer would send its next request on a closed connection.
  const broker = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    try {
      if (request.url !== path) throw new Error("unknown path");
      const body = JSON.parse(await text(request));
      const work = queue.then(() => answer(request.method, body));
      queue = work.catch(() => {});
      response.end(await work);
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  });
  broker.listen(0, "127.0.0.1");
  await once(broker, "listening");
  project.provide("databaseBroker", `http://127.0.0.1:${(broker.address() as AddressInfo).port}${path}`);
  project.provide("runDir", runDir);

  return async () => {
    broker.close();
    broker.closeAllConnections();
    await queue;
    await (await postgres)?.destroy();
  };
}
