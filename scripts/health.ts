import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The health check of the container image. Docker marks a container whose check fails as unhealthy, but does not restart it.
// deploy/health.sh does the same for the other services.

/** Whether a container engine started this process: its parent is outside of the container. */
const isHealthCheck = process.ppid === 0;
const TIMEOUT_MS = 8_000;
/** How long a server that answered before may answer nothing until it is ended. */
const HANG_MS = 60_000;
/** Contains the time of the last answer. Absent until the first one, since a start with migrations may take any time. */
const ANSWERED_FILE = join(tmpdir(), "slipway-answered");

/** @returns the status of the readiness check; null without an answer */
async function readiness(): Promise<number | null> {
  const url = `http://127.0.0.1:${process.env.PORT ?? 3000}/api/health/ready`;
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ status }) => status,
    () => null,
  );
}

function lastAnswer(): number {
  try {
    return Number(readFileSync(ANSWERED_FILE, "utf8"));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const status = await readiness();
// 503 is an answer: the database or the store is away, and a restart would not help.
if (status !== null) writeFileSync(ANSWERED_FILE, String(Date.now()));
else if (isHealthCheck && Date.now() - lastAnswer() > HANG_MS) {
  process.stderr.write(`the server has not answered for ${HANG_MS / 1000} s and is ended\n`);
  rmSync(ANSWERED_FILE, { force: true });
  // All processes of the container but the first, which ends when its child does.
  process.kill(-1, "SIGKILL");
}
process.exitCode = status === 200 ? 0 : 1;
