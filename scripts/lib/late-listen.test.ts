import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { projectDir } from "./files.mjs";

const preload = `--import=${pathToFileURL(join(projectDir, "scripts", "lib", "late-listen.mjs"))}`;

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
  const { stdout, stderr } = spawnSync(process.execPath, [preload, "--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "started,null,answered\n", stderr: "" });
});

it("a thousand clients can connect at the same moment while the process is busy", async () => {
  const script = `
    import { writeSync } from "node:fs";
    import { createServer } from "node:http";
    const server = createServer();
    server.on("listening", () => {
      globalThis.slipwayListen();
      server.once("listening", () => {
        writeSync(1, String(server.address().port));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });
    });
    server.listen(0, "127.0.0.1");
  `;
  const busy = spawn(process.execPath, [preload, "--input-type=module", "--eval", script]);
  const sockets = [];
  try {
    const [port] = await once(busy.stdout, "data");
    for (let client = 0; client < 1_000; client++) sockets.push(connect(Number(port), "127.0.0.1"));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
  } finally {
    for (const socket of sockets) socket.on("error", () => {}).destroy();
    busy.kill("SIGKILL");
  }
});
