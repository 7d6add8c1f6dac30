import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "../scripts/lib/ports.mjs";
import { waitFor } from "../scripts/lib/processes.mjs";

const NGINX = "/usr/sbin/nginx";
/** Why a comparison with nginx cannot run; null if it can. */
export const NGINX_MISSING = existsSync(NGINX) ? null : `there is no ${NGINX} to compare with`;

/** A running nginx. */
export interface Nginx {
  url: string;
  /** The process IDs of its workers. */
  workers(): number[];
  stop(): Promise<void>;
}

/**
 * Starts nginx, serving a folder of files with `sendfile`.
 * @param folder for its own files
 * @param files the served folder
 * @param workers the number of its processes
 */
export async function startNginx(folder: string, files: string, workers = 1): Promise<Nginx> {
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort("127.0.0.1");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, "nginx.conf");
  // Only the owner can read the folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  await writeFile(
    config,
    `daemon off; ${user} worker_processes ${workers}; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 4096; }
     http { access_log off; sendfile on; tcp_nopush on; ${temporary.join(" ")}
     server { listen 127.0.0.1:${port} backlog=4096; root ${files}; } }`,
  );
  const child = spawn(NGINX, ["-c", config, "-p", folder, "-e", join(folder, "error.log")], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = () => void child.kill("SIGTERM");
  process.once("exit", kill);
  const url = `http://127.0.0.1:${port}`;
  await waitFor(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 10_000, everyMs: 50 },
  );
  return {
    url,
    workers: () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ").map(Number),
    stop: async () => {
      process.off("exit", kill);
      kill();
      await ended;
    },
  };
}
