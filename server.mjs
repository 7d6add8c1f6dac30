// The entry point of the server, in development and in production, where the build copies it into Next's standalone output
// (docs/decisions/033-the-console-owns-its-server.md). While Next prepares itself, it calls instrumentation.ts, which starts the console
// and its HTTP server.
import { EventEmitter } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import next from "next";

const directory = import.meta.dirname;
process.chdir(directory);

const dev = process.env.NODE_ENV === "development";
const built = join(directory, ".next", "required-server-files.json");
// The configuration of the build, where Next's own entry point of the standalone output passes it. `next.config.ts` is not there.
if (!dev && existsSync(built)) {
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(JSON.parse(readFileSync(built, "utf8")).config);
}
const port = Number(process.env.PORT ?? 3000);
// The variable is set by `npm start` and the image: shells set it to the machine's name, but do not export it.
const hostname = process.env.HOSTNAME ?? "0.0.0.0";

// Next adds its listener for upgrades, which hot reload needs, to this object instead of the server that the first request came by.
const upgrades = new EventEmitter();
const app = next({ dev, dir: directory, hostname, port, httpServer: /** @type {any} */ (upgrades) });

/** @type {import("./lib/server/next-server").NextServer} */
const nextServer = {
  hostname,
  prepared: app.prepare(),
  handle: (request, response) => app.getRequestHandler()(request, response),
  upgrades,
  close: () => app.close(),
};
/** @type {Record<symbol, unknown>} */ (globalThis)[Symbol.for("slipway.next-server")] = nextServer;
await nextServer.prepared;
