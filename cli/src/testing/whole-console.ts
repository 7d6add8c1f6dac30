import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { TestServer } from "@/lib/testing/server";
import type { Tool } from "./tool";

/** A console with the files that a built one serves below `/cli`. */
export interface WholeConsole {
  url: string;
  close(): Promise<void>;
}

/** @param answers what is served below `/cli` instead of the files of the tool, by path */
export async function serveConsole(
  server: TestServer,
  tool: Tool,
  answers: Record<string, string> = {},
): Promise<WholeConsole> {
  const web = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    if (path.startsWith("/cli/")) {
      outgoing.end(answers[path] ?? readFileSync(join(dirname(tool.file), path.slice("/cli/".length))));
      return;
    }
    const { method, headers } = incoming;
    const options = { method, headers: { ...headers, host: new URL(server.url).host } };
    const passed = request(`${server.url}${path}`, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        web.closeAllConnections();
        web.close(() => resolve());
      }),
  };
}
