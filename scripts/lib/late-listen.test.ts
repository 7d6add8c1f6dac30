import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { projectDir } from "./files.mjs";

it("the first server accepts no connection until it is told to, though what it does when it listens runs at once", () => {
  const script = `
    import { createServer, get } from "node:http";
    const events = [];
    const server = createServer((request, response) => response.end("answered"));
    server.on("listening", () => {
      events.push("started");
      // As Next does, before the instance has started.
      events.push(String(server.address()));
      globalThis.slipwayListen();
      server.once("listening", () => {
        const { port } = server.address();
        get({ port }, (answer) => answer.on("data", (data) => events.push(String(data))).on("end", () => {
          server.close();
          console.log(events.join());
        }));
      });
    });
    server.listen(0, "127.0.0.1");
  `;
  const preload = `--import=${pathToFileURL(join(projectDir, "scripts", "lib", "late-listen.mjs"))}`;
  const { stdout, stderr } = spawnSync(process.execPath, [preload, "--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "started,null,answered\n", stderr: "" });
});
