import { spawn } from "node:child_process";

/** curl's measurements of a transfer. */
export interface Transfer {
  status: number;
  /** Until the last byte of the response. */
  milliseconds: number;
  /** The size of the response body. */
  receivedBytes: number;
}

/** Runs curl and discards the response body. */
export function curl(args: readonly string[]): Promise<Transfer> {
  const format = "%{http_code} %{time_total} %{size_download}";
  const child = spawn(
    "curl",
    [...["--silent", "--show-error", "--max-time", "180"], "--output", "/dev/null", "--write-out", format, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", () => {
      const [status, time, receivedBytes] = text.split(" ").map(Number) as [number, number, number];
      resolve({ status, milliseconds: time * 1000, receivedBytes });
    });
  });
}

/**
 * Sends several requests with one curl process, one after another over one connection.
 * @param requests the arguments of each request; each output must end with a line break
 * @returns the response bodies, one line each
 * @throws Error if curl fails
 */
export function curlBodies(requests: readonly (readonly string[])[]): Promise<string[]> {
  const own = ["--silent", "--show-error", "--max-time", "180"];
  const args = requests.flatMap((request, index) => [...(index > 0 ? ["--next"] : []), ...own, ...request]);
  const child = spawn("curl", args, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(text.split("\n").filter(Boolean));
      else reject(new Error(`curl exited with ${code}: ${text}`));
    });
  });
}
